import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { type Batch, type Format, type Order, Refusal, type WireRow, type Written } from './order.ts'
import { csv, json, jsonl } from './text-formats.ts'
import { xlsx } from './xlsx.ts'

/** A process of its own: what it uses is given back when it ends, and it holds nobody up. */

const formats: Record<Order['format'], () => Promise<Format>> = {
  csv: async () => csv,
  json: async () => json,
  jsonl: async () => jsonl,
  xlsx: async () => xlsx,
  pdf: async () => (await import('./pdf.ts')).pdf,
}

/** Reads no further than is asked for, so that rows wait in the database rather than here. */
async function* readLines(): AsyncGenerator<string> {
  let rest = ''
  process.stdin.setEncoding('utf8')
  for await (const piece of process.stdin as AsyncIterable<string>) {
    const parts = (rest + piece).split('\n')
    rest = parts.pop() ?? ''
    yield* parts
  }
}

const lines = readLines()
let rowsSeen = 0

async function* batches(): AsyncGenerator<readonly WireRow[]> {
  for (;;) {
    const { value, done } = await lines.next()
    // Without its last word the console was killed, or has given it up.
    if (done) throw new Error('The rows ended early')
    const batch = JSON.parse(value) as Batch
    if ('end' in batch) return
    rowsSeen += batch.rows.length
    yield batch.rows
  }
}

async function write(order: Order): Promise<Written> {
  const format = await formats[order.format]()
  const hash = createHash('sha256')
  const file = await open(order.path, 'w', 0o600)
  let bytes = 0
  try {
    for await (const piece of format(order, batches())) {
      const buffer = typeof piece === 'string' ? Buffer.from(piece) : piece
      hash.update(buffer)
      bytes += buffer.length
      await file.appendFile(buffer)
    }
    await file.sync()
  } finally {
    await file.close()
  }
  return { rows: rowsSeen, bytes, sha256: hash.digest('hex') }
}

const first = await lines.next()
if (first.done) throw new Error('There is no order')
const answer = await write(JSON.parse(first.value) as Order).catch((error: unknown): Written => {
  if (error instanceof Refusal) return { refusal: error.message }
  throw error
})
process.stdout.write(`${JSON.stringify(answer)}\n`, () => process.exit(0))
