import { sql } from 'kysely'
import type { RequestContext } from '../context.ts'
import { AppError } from './errors.ts'

/**
 * Whoever uses a key first owns it, for good: most features keep what became of a request without an end. Throws
 * `idempotency_conflict` for a key of somebody else, before anything is looked up by it.
 */
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
