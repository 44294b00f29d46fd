import { DamagedArchive } from './sealed-file.ts'

/** A sum over many rows that a restore must come to again. */
export type ArchiveTotal = { what: string; key: string; rows: number; amount: string }

export type ArchivedTable = { name: string; columns: string[] }

/** Stands first: how the tables have to look. */
export type Preamble = {
  console: string
  server: string
  snapshotAt: string
  migrations: { name: string; checksum: string }[]
  tables: ArchivedTable[]
  partitions: { name: string; parent: string; bound: string }[]
  sequences: { name: string; value: string; isCalled: boolean }[]
  /** Where the audit log stood; null: it has no entry. */
  audit: { seq: number; hash: string; entryId: string; at: string } | null
}

/** Stands last: what has been written, to compare with. */
export type Summary = {
  tables: Record<string, { rows: number; sha256: string }>
  totals: ArchiveTotal[]
}

/** Of a copy of the cluster itself, or of its journal since the copy before. */
export type PhysicalHead = {
  console: string
  server: string
  /** The first of its chain; null: it is that itself. */
  baseId: string | null
  previousId: string | null
  /** Segments of the journal, the first and the last that are in it. */
  from: string
  to: string
  /** Up to this moment the database can be brought. */
  endsAt: string
}

export type PhysicalSummary = { files: Record<string, { bytes: number; sha256: string }> }

export type Frame =
  | { type: 'physical'; head: PhysicalHead }
  | { type: 'file'; name: string }
  | { type: 'physical_summary'; summary: PhysicalSummary }
  | { type: 'preamble'; preamble: Preamble }
  | { type: 'table'; name: string }
  | { type: 'rows'; data: Buffer }
  | { type: 'summary'; summary: Summary }

const letters = {
  ...{ preamble: 'P', table: 'T', rows: 'R', summary: 'S' },
  ...{ physical: 'B', file: 'F', physical_summary: 'E' },
} as const
const headBytes = 5
const largestFrame = 64 * 1024 * 1024

function withHead(letter: string, body: Buffer): Buffer[] {
  const head = Buffer.alloc(headBytes)
  head.write(letter, 0, 'latin1')
  head.writeUInt32BE(body.length, 1)
  return [head, body]
}

const asJson = (value: unknown): Buffer => Buffer.from(JSON.stringify(value))

export function writeFrame(frame: Frame): Buffer[] {
  switch (frame.type) {
    case 'preamble':
      return withHead(letters.preamble, asJson(frame.preamble))
    case 'table':
      return withHead(letters.table, asJson(frame.name))
    case 'rows':
      return withHead(letters.rows, frame.data)
    case 'physical':
      return withHead(letters.physical, asJson(frame.head))
    case 'file':
      return withHead(letters.file, asJson(frame.name))
    case 'summary':
      return withHead(letters.summary, asJson(frame.summary))
    case 'physical_summary':
      return withHead(letters.physical_summary, asJson(frame.summary))
  }
}

function toFrame(letter: string, body: Buffer): Frame {
  const json = () => JSON.parse(body.toString('utf8')) as unknown
  if (letter === letters.rows) return { type: 'rows', data: body }
  if (letter === letters.table) return { type: 'table', name: json() as string }
  if (letter === letters.preamble) return { type: 'preamble', preamble: json() as Preamble }
  if (letter === letters.summary) return { type: 'summary', summary: json() as Summary }
  if (letter === letters.physical) return { type: 'physical', head: json() as PhysicalHead }
  if (letter === letters.file) return { type: 'file', name: json() as string }
  if (letter === letters.physical_summary) return { type: 'physical_summary', summary: json() as PhysicalSummary }
  throw new DamagedArchive('The backup holds something that this console does not know')
}

/** What `writeFrame` wrote, from pieces of any size. Without a summary it is not whole. */
export async function* readFrames(source: AsyncIterable<Buffer>): AsyncGenerator<Frame> {
  let left: Buffer = Buffer.alloc(0)
  let isWhole = false
  for await (const piece of source) {
    left = left.length === 0 ? piece : Buffer.concat([left, piece])
    for (;;) {
      if (left.length < headBytes) break
      const length = left.readUInt32BE(1)
      if (length > largestFrame) throw new DamagedArchive('The backup is damaged')
      if (left.length < headBytes + length) break
      if (isWhole) throw new DamagedArchive('Something follows the end of the backup')
      const frame = toFrame(left.toString('latin1', 0, 1), left.subarray(headBytes, headBytes + length))
      left = left.subarray(headBytes + length)
      isWhole = frame.type === 'summary' || frame.type === 'physical_summary'
      yield frame
    }
  }
  if (!isWhole || left.length > 0) throw new DamagedArchive('The backup is cut off')
}
