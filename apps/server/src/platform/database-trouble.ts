import type { AppContext } from '../context.ts'
import type { DatabaseFailure } from './database-failure.ts'

export type Trouble = DatabaseFailure & { since: number; lastAt: number }

/** Without another failure for as long, it is over. */
const overAfterMs = 120_000
/** A single deadlock or a burst of calls is none of the administrators' business. */
const passing: ReadonlySet<DatabaseFailure['cause']> = new Set(['contended', 'busy'])

/** What this process last heard of its database not doing what it was asked; one per process. */
export function createDatabaseTrouble({ clock, changes }: Pick<AppContext, 'clock' | 'changes'>) {
  let trouble: Trouble | undefined

  function current(): Trouble | undefined {
    if (trouble && clock() - trouble.lastAt > overAfterMs) trouble = undefined
    return trouble
  }

  return {
    current,
    note(failure: DatabaseFailure): void {
      if (passing.has(failure.cause)) return
      const before = current()
      const lastAt = clock()
      trouble = { ...failure, since: before?.cause === failure.cause ? before.since : lastAt, lastAt }
      if (before?.cause === failure.cause) return
      changes.tell('notifications')
      changes.tell('health')
    },
  }
}
