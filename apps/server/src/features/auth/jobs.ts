import { z } from 'zod'
import { inTransaction, type RequestContext } from '../../context.ts'
import { recordAudit } from '../../platform/audit.ts'
import { job } from '../../platform/job.ts'
import { deleteSessionsBefore, endExpiredSessions } from './queries/sessions.ts'
import { deleteTriesBefore } from './queries/tries.ts'

const dayMs = 24 * 60 * 60_000

/** Writes down which sessions their limits ended, and forgets what is older than the setting says. */
async function sweepSessions(ctx: RequestContext): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    for (const { id } of await endExpiredSessions(tx))
      await recordAudit(tx, { action: 'session.expire', resource: 'session', id })
    const before = new Date(tx.clock() - tx.config.settings.signInDays * dayMs)
    await deleteSessionsBefore(tx, before)
    await deleteTriesBefore(tx, before)
  })
}

export const authJobs = [
  job({ name: 'auth.sweep', input: z.object({}), schedule: '*/10 * * * *', policy: 'alone', run: sweepSessions }),
]
