import { sql } from 'kysely'
import type { AppContext } from '../context.ts'

/** `loading`: a backup is on its way into the database. `replaying`: it is in place, and what happened since comes in. */
export type Maintenance = 'loading' | 'replaying'

/** Whether a backup is being restored, which every process hears of; one per process. */
export function createMaintenance({ db, changes, log }: Pick<AppContext, 'db' | 'changes' | 'log'>) {
  let current: Maintenance | null = null

  async function look(): Promise<void> {
    const { rows } = await sql<{ state: string }>`
      select state from restores where state in ('open', 'replaying') limit 1`.execute(db)
    const [open] = rows
    current = open ? (open.state === 'open' ? 'loading' : 'replaying') : null
  }
  let looking: Promise<void> | undefined
  /** Many who ask at once cost one read: while tables change places, each would hold a connection. */
  const lookQuietly = (): Promise<void> => {
    looking ??= look()
      .catch((error: unknown) => log.warn({ err: error }, 'could not look whether a restore is running'))
      .finally(() => {
        looking = undefined
      })
    return looking
  }

  changes.subscribe((topics) => {
    // What is being read may be from before the change.
    if (topics.has('backups')) void (looking ?? Promise.resolve()).then(lookQuietly)
  })
  const ready = lookQuietly()

  return {
    current: (): Maintenance | null => current,
    look: lookQuietly,
    /** Once it is known for the first time. */
    ready,
  }
}

/** What goes on while a backup is restored: the restore itself, what it asks of Stripe, and whether the console is well. */
const always = ['backups.', 'health.']
const whileReplaying = ['mirror.', 'domains.']

export function mayRun(job: string, current: Maintenance | null): boolean {
  if (current === null || always.some((start) => job.startsWith(start))) return true
  return current === 'replaying' && whileReplaying.some((start) => job.startsWith(start))
}
