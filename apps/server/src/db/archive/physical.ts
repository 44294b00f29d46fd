import { createHash, type Hash } from 'node:crypto'
import { chown, mkdir, open } from 'node:fs/promises'
import { dirname, join, normalize } from 'node:path'
import { type PhysicalHead, type PhysicalSummary, writeFrame } from './frames.ts'
import { type ArchiveSource, framesOf } from './read-archive.ts'
import { DamagedArchive } from './sealed-file.ts'
import { type SealedOrder, writeSealed } from './write-sealed.ts'

/** A file of the cluster as it is read; it may be gone or change while it is, which its journal sets right. */
export type PhysicalFile = { name: string; read(): AsyncIterable<Buffer> }

async function* physicalFrames(
  headOf: () => PhysicalHead,
  files: AsyncIterable<PhysicalFile>,
  onBytes: (bytes: number) => void,
): AsyncGenerator<Buffer> {
  const summary: PhysicalSummary = { files: {} }
  let before = 0
  for await (const { name, read } of files) {
    yield* writeFrame({ type: 'file', name })
    const hash = createHash('sha256')
    let bytes = 0
    for await (const data of read()) {
      hash.update(data)
      bytes += data.length
      yield* writeFrame({ type: 'rows', data })
      onBytes(before + bytes)
    }
    before += bytes
    summary.files[name] = { bytes, sha256: hash.digest('hex') }
  }
  // How far the copy goes is known when it was made.
  yield* writeFrame({ type: 'physical', head: headOf() })
  yield* writeFrame({ type: 'physical_summary', summary })
}

export const writePhysical = (
  order: SealedOrder,
  headOf: () => PhysicalHead,
  files: AsyncIterable<PhysicalFile>,
  onBytes: (bytes: number) => void,
): Promise<{ bytes: number; sha256: string }> => writeSealed(order, physicalFrames(headOf, files, onBytes))

type Sink = { write(data: Buffer): Promise<void>; close(): Promise<void> }

/** Reads a physical backup whole, and compares every file with what was written; `open` gets what is in it. */
async function readPhysical(
  source: ArchiveSource,
  key: Buffer,
  openFile: (name: string) => Promise<Sink>,
): Promise<{ head: PhysicalHead; summary: PhysicalSummary }> {
  const found: PhysicalSummary['files'] = {}
  let head: PhysicalHead | undefined
  let summary: PhysicalSummary | undefined
  let current: { name: string; hash: Hash; bytes: number; sink: Sink } | undefined
  const close = async (): Promise<void> => {
    if (!current) return
    await current.sink.close()
    found[current.name] = { bytes: current.bytes, sha256: current.hash.digest('hex') }
    current = undefined
  }
  try {
    for await (const frame of framesOf(source, key)) {
      if (frame.type === 'physical') head = frame.head
      else if (frame.type === 'file') {
        await close()
        current = { name: frame.name, hash: createHash('sha256'), bytes: 0, sink: await openFile(frame.name) }
      } else if (frame.type === 'rows' && current) {
        current.hash.update(frame.data)
        current.bytes += frame.data.length
        await current.sink.write(frame.data)
      } else if (frame.type === 'physical_summary') {
        await close()
        summary = frame.summary
      } else throw new DamagedArchive('This is no incremental backup')
    }
  } finally {
    await current?.sink.close()
  }
  if (!head || !summary) throw new DamagedArchive('The backup is cut off')
  if (JSON.stringify(found) !== JSON.stringify(summary.files))
    throw new DamagedArchive('A file in the backup is not what was written')
  return { head, summary }
}

const nowhere: Sink = { write: async () => {}, close: async () => {} }

export const listPhysical = (source: ArchiveSource, key: Buffer) => readPhysical(source, key, async () => nowhere)

type Owner = { uid: number; gid: number } | undefined

/** Writes what is in it below a folder, as the account that runs the database. */
export async function unpackPhysical(source: ArchiveSource, key: Buffer, folder: string, owner: Owner) {
  const made = new Set<string>()
  const ensure = async (path: string): Promise<void> => {
    if (made.has(path) || path === folder || path.length < folder.length) return
    await ensure(dirname(path))
    await mkdir(path, { recursive: true, mode: 0o700 })
    if (owner) await chown(path, owner.uid, owner.gid)
    made.add(path)
  }
  return readPhysical(source, key, async (name) => {
    const path = join(folder, normalize(name))
    if (!path.startsWith(`${folder}/`)) throw new DamagedArchive(`The backup holds a file of another place: ${name}`)
    await ensure(dirname(path))
    if (name.endsWith('/.folder')) return nowhere
    const file = await open(path, 'w', 0o600)
    return {
      write: async (data) => void (await file.write(data)),
      async close() {
        await file.close()
        if (owner) await chown(path, owner.uid, owner.gid)
      },
    }
  })
}
