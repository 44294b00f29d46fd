import { createHash } from 'node:crypto'
import { listPhysical } from '../../../db/archive/physical.ts'
import { type ArchiveSource, listArchive } from '../../../db/archive/read-archive.ts'
import type { Proof } from './order.ts'

type Options = { isIncremental: boolean; signal: AbortSignal; onBytes(bytes: number): void }

/** Opens every part, compares each table or file with what was written, and digests the whole. */
export async function prove(
  source: ArchiveSource,
  key: Buffer,
  { isIncremental, signal, onBytes }: Options,
): Promise<Proof> {
  const hash = createHash('sha256')
  let bytes = 0
  async function* counted(): AsyncGenerator<Buffer> {
    for await (const piece of source()) {
      signal.throwIfAborted()
      hash.update(piece)
      bytes += piece.length
      onBytes(bytes)
      yield piece
    }
  }
  if (isIncremental) {
    const { head, summary } = await listPhysical(counted, key)
    const files = Object.keys(summary.files).length
    return { bytes, sha256: hash.digest('hex'), rows: null, summary: { physical: head, files } }
  }
  const { summary } = await listArchive(counted, key)
  const rows = Object.values(summary.tables).reduce((sum, table) => sum + table.rows, 0)
  return { bytes, sha256: hash.digest('hex'), rows, summary }
}
