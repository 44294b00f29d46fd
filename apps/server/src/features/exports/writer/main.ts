import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { asChild, type Parent } from '../../../platform/child/as-child.ts'
import { type Batch, type Format, type Order, Refusal, type Taken, type WireRow, type Written } from './order.ts'
import { csv, json, jsonl } from './text-formats.ts'
import { xlsx } from './xlsx.ts'

const formats: Record<Order['format'], () => Promise<Format>> = {
  csv: async () => csv,
  json: async () => json,
  jsonl: async () => jsonl,
  xlsx: async () => xlsx,
  pdf: async () => (await import('./pdf.ts')).pdf,
}

let rowsSeen = 0

async function* batches({ lines, news }: Parent): AsyncGenerator<readonly WireRow[]> {
  for (;;) {
    const { value, done } = await lines.next()
    // Without its last word the console was killed, or has given it up.
    if (done) throw new Error('The rows ended early')
    const batch = value as Batch
    if ('end' in batch) return
    rowsSeen += batch.rows.length
    yield batch.rows
    news('taken' satisfies Taken)
  }
}

async function write(order: Order, parent: Parent): Promise<Written> {
  const format = await formats[order.format]()
  const hash = createHash('sha256')
  const file = await open(order.path, 'w', 0o600)
  let bytes = 0
  try {
    for await (const piece of format(order, batches(parent))) {
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

await asChild<Order>((order, parent) =>
  write(order, parent).catch((error: unknown): Written => {
    if (error instanceof Refusal) return { refusal: error.message }
    throw error
  }),
)
