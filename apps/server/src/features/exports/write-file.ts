import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { constants, setPriority } from 'node:os'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { AppError } from '../../platform/errors.ts'
import type { AnyExport, Column } from '../../platform/export-kind.ts'
import type { Order, WireCell, WireRow, Written } from './writer/order.ts'

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

/** Has the file written by a process of its own, which is gone afterwards. Its memory and its work are not the console's. */
export async function writeFile({ order, columns, rows, signal, onRows }: Writing): Promise<Written> {
  const writer = spawn(process.execPath, [`--max-old-space-size=${writerMemoryMb}`, writerFile], {
    stdio: ['pipe', 'pipe', 'pipe'],
    // It has nothing to do with the keys that are in ours.
    env: {},
    signal,
  })
  if (writer.pid !== undefined) yieldToOthers(writer.pid)
  // That it was stopped or could not start is seen at its exit.
  writer.on('error', () => {})
  writer.stdin?.on('error', () => {})
  const ended = once(writer, 'close') as Promise<[number | null]>
  const answer = Promise.all([
    text(writer.stdout as NodeJS.ReadableStream),
    text(writer.stderr as NodeJS.ReadableStream),
  ])
  try {
    const sent = await send(writer, order, columns, rows, onRows)
    const [[said, complaint], [status]] = await Promise.all([answer, ended])
    signal.throwIfAborted()
    if (status !== 0) throw new Error(`The writer ended with ${status}: ${complaint.slice(-2000)}`)
    const written = JSON.parse(said) as Written
    if ('rows' in written && written.rows !== sent) throw new Error(`The writer has ${written.rows} of ${sent} rows`)
    return written
  } finally {
    writer.kill('SIGKILL')
    await ended.catch(() => {})
  }
}

/** After a batch, at most. */
const mostPauseMs = 50

/** Whoever works with the console goes first. */
function yieldToOthers(pid: number): void {
  try {
    setPriority(pid, constants.priority.PRIORITY_LOW)
  } catch {
    // Ended already: that is seen at its exit.
  }
}

/**
 * Hands rows over as fast as they are written, and stops reading when the writer has refused them. It pauses for as
 * long as each batch took, from the database to the writer.
 */
async function send(
  writer: ChildProcess,
  order: Order,
  columns: AnyExport['columns'],
  rows: AsyncIterable<readonly unknown[]>,
  onRows: (done: number) => void,
): Promise<number> {
  const input = writer.stdin
  if (!input) throw new AppError('internal', 'The writer of exports did not start')
  const isGone = (): boolean => writer.exitCode !== null || writer.signalCode !== null || input.destroyed
  const put = async (line: object): Promise<void> => {
    if (isGone() || input.write(`${JSON.stringify(line)}\n`)) return
    const waiting = new AbortController()
    await Promise.race(['drain', 'close'].map((name) => once(input, name, waiting)))
      // A pipe that breaks means that the writer is gone: how it ended says more.
      .catch(() => {})
      .finally(() => waiting.abort())
  }
  await put(order)
  let done = 0
  let began = performance.now()
  for await (const batch of rows) {
    if (isGone()) break
    await put({ rows: batch.map((row) => wireRow(columns, row)) })
    done += batch.length
    onRows(done)
    await sleep(Math.min(mostPauseMs, performance.now() - began))
    began = performance.now()
  }
  if (!isGone()) input.end('{"end":true}\n')
  return done
}
