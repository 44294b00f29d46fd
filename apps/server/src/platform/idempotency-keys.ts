import { sql } from 'kysely'
import { z } from 'zod'
import type { AppContext, RequestContext } from '../context.ts'
import { AppError } from './errors.ts'
import { job } from './job.ts'

/** Longer than any feature keeps what became of a request. */
const keptMs = 30 * 24 * 60 * 60_000

/** Whoever uses a key first owns it. Throws `idempotency_conflict` for a key of somebody else, before anything is looked up by it. */
export async function claimKey({ db, clock, actor }: RequestContext, key: string): Promise<void> {
  const caller = `${actor.type} ${actor.id}`
  const { rows } = await sql<{ caller: string }>`
    with claimed as (
      insert into idempotency_keys (key, caller, used_at) values (${key}, ${caller}, ${new Date(clock())})
      on conflict do nothing returning caller
    )
    select caller from claimed union all select caller from idempotency_keys where key = ${key}`.execute(db)
  // Neither: somebody else's insert was kept a moment ago, and this statement began before it.
  if (rows.some((row) => row.caller === caller)) return
  if (rows.length === 0) return claimKey({ db, clock, actor } as RequestContext, key)
  throw new AppError('idempotency_conflict', 'This Idempotency-Key belongs to somebody else: take a new one')
}

export const forgetKeys = job({
  name: 'idempotency.forget',
  input: z.object({}),
  schedule: '45 3 * * *',
  policy: 'alone',
  run: (ctx) => deleteOldKeys(ctx),
})

async function deleteOldKeys({ db, clock }: Pick<AppContext, 'db' | 'clock'>): Promise<void> {
  await sql`delete from idempotency_keys where used_at < ${new Date(clock() - keptMs)}`.execute(db)
}
