import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { createZstdDecompress } from 'node:zlib'
import { type Frame, type Preamble, readFrames, type Summary } from './frames.ts'
import { type ArchiveHead, DamagedArchive, readArchiveHead, unsealed } from './sealed-file.ts'
import { TableCheck } from './table-check.ts'

// Each piece is a turn of a thread: in Node's own 16 KiB a backup takes five times as long to read.
const pieceBytes = 1024 * 1024

/** What a backup lies in: a file, or an object in a store. */
export type ArchiveSource = () => AsyncIterable<Buffer>

export const fromFile =
  (path: string): ArchiveSource =>
  () =>
    createReadStream(path, { highWaterMark: pieceBytes }) as AsyncIterable<Buffer>

export const headOf = (source: ArchiveSource): Promise<ArchiveHead> => readArchiveHead(source())

/** The frames of a backup in their order; throws where it is damaged, cut or sealed with another key. */
export async function* framesOf(source: ArchiveSource, key: Buffer): AsyncGenerator<Frame> {
  const sealed = Readable.from(unsealed(source(), key), { objectMode: false })
  const plain = createZstdDecompress({ chunkSize: pieceBytes })
  const passed = sealed.on('error', (error) => plain.destroy(error)).pipe(plain)
  try {
    yield* readFrames(passed as AsyncIterable<Buffer>)
  } catch (error) {
    throw isZstd(error) ? new DamagedArchive('The backup is damaged', { cause: error }) : error
  } finally {
    sealed.destroy()
    plain.destroy()
  }
}

const isZstd = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('ZSTD')

export type Listing = { preamble: Preamble; summary: Summary }

export function compareTables(found: Summary['tables'], { tables }: Summary): void {
  for (const name of new Set([...Object.keys(found), ...Object.keys(tables)])) {
    const [is, was] = [found[name], tables[name]]
    if (is?.rows !== was?.rows || is?.sha256 !== was?.sha256)
      throw new DamagedArchive(`The table ${name} in the backup is not what was written`)
  }
}

/** Reads a backup from its first byte to its last, opens every part, and compares every table with the summary. */
export async function listArchive(source: ArchiveSource, key: Buffer): Promise<Listing> {
  let preamble: Preamble | undefined
  let summary: Summary | undefined
  let table: TableCheck | undefined
  const found: Summary['tables'] = {}
  const close = (): void => {
    if (table) found[table.name] = table.end()
    table = undefined
  }
  for await (const frame of framesOf(source, key)) {
    if (frame.type === 'preamble') preamble = frame.preamble
    else if (frame.type === 'table') {
      close()
      table = new TableCheck(frame.name)
    } else if (frame.type === 'rows') table?.add(frame.data)
    else if (frame.type === 'summary') {
      close()
      summary = frame.summary
    } else throw new DamagedArchive('This is no full backup')
  }
  if (!preamble || !summary) throw new DamagedArchive('The backup is cut off')
  compareTables(found, summary)
  return { preamble, summary }
}
