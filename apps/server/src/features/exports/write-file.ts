import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { startChild } from '../../platform/child/start-child.ts'
import type { AnyExport, Column } from '../../platform/export-kind.ts'
import type { Batch, Order, WireCell, WireRow, Written } from './writer/order.ts'

const writerFile = fileURLToPath(new URL('./writer/main.ts', import.meta.url))
const writerMemoryMb = 256

type Writing = {
  order: Order
  columns: AnyExport['columns']
  rows: AsyncIterable<readonly unknown[]>
  signal: AbortSignal
  onRows: (done: number) => void
}

function wireCell(column: Column<unknown>, row: unknown): WireCell {
  const value = column.value(row)
  if (value === null || value === undefined) return null
  return column.type === 'json' ? { json: value } : (value as WireCell)
}

const wireRow = (columns: AnyExport['columns'], row: unknown): WireRow => columns.map((column) => wireCell(column, row))

/** Has the file written by a process of its own. */
export async function writeFile({ order, columns, rows, signal, onRows }: Writing): Promise<Written> {
  let turn = Promise.withResolvers<boolean>()
  // It has nothing to do with the keys that are in ours.
  const writer = await startChild<Written>(writerFile, {
    ...{ memoryMb: writerMemoryMb, env: {}, signal },
    onNews: () => turn.resolve(true),
  })
  let isOver = false
  const end = () => {
    isOver = true
    turn.resolve(false)
  }
  writer.answer.then(end, end)

  /** Resolves once the writer is done with the batch; false when the writer takes no more, and its answer says why. */
  async function handOver(batch: Batch): Promise<boolean> {
    if (isOver) return false
    turn = Promise.withResolvers()
    await writer.tell(batch)
    return turn.promise
  }

  try {
    await writer.tell(order)
    const sent = await send(handOver, columns, rows, onRows)
    await writer.tell({ end: true } satisfies Batch)
    const written = await writer.answer
    if ('rows' in written && written.rows !== sent) throw new Error(`The writer has ${written.rows} of ${sent} rows`)
    return written
  } finally {
    await writer.end()
  }
}

/** After a batch, at most. */
const mostPauseMs = 50

/**
 * Hands rows over, and stops reading when the writer has refused them. A batch is read when the one before is done with, and
 * after a pause of as long as that took: who waits for the console has a processor meanwhile.
 */
async function send(
  handOver: (batch: Batch) => Promise<boolean>,
  columns: AnyExport['columns'],
  rows: AsyncIterable<readonly unknown[]>,
  onRows: (done: number) => void,
): Promise<number> {
  let done = 0
  let began = performance.now()
  for await (const batch of rows) {
    if (!(await handOver({ rows: batch.map((row) => wireRow(columns, row)) }))) break
    done += batch.length
    onRows(done)
    await sleep(Math.min(mostPauseMs, performance.now() - began))
    began = performance.now()
  }
  return done
}
