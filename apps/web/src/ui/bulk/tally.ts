import { formatCount } from '../../lib/format.ts'
import type { RowOutcome } from '../../lib/use-bulk.ts'

type Outcomes = ReadonlyMap<string, RowOutcome>

/** What can still be sent: all at first, later what was refused, lost or stopped. */
export function restOf<Row extends { id: string }>(rows: readonly Row[], outcomes: Outcomes): Row[] {
  return rows.filter(({ id }) => outcomes.get(id)?.state !== 'done')
}

/** "3 of 5 done, 1 failed". */
export function tallyOf(rows: readonly { id: string }[], outcomes: Outcomes): string {
  const countOf = (state: RowOutcome['state']) => rows.filter(({ id }) => outcomes.get(id)?.state === state).length
  const failed = countOf('failed')
  const done = `${formatCount(countOf('done'))} of ${formatCount(rows.length)} done`
  return failed === 0 ? done : `${done}, ${formatCount(failed)} failed`
}
