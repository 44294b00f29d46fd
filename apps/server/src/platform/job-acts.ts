import { CompiledQuery, type Kysely, sql, type Transaction } from 'kysely'
import type { DB } from '../db/types.ts'
import type { Statement } from './statements.ts'

// pg-boss has acts for one queue at a time, and none that a filter chooses; these are part of a transaction of ours.

type Tx = Transaction<DB>

/** Nobody begins it meanwhile. */
export async function lockJob(db: Tx, id: string): Promise<void> {
  await sql`select from jobs.job where id = ${id} for update`.execute(db)
}

/** Of the jobs `j` that meet these conditions those that nobody is at now, the oldest first. */
export async function lockJobs(
  db: Tx,
  { text, values }: Statement,
  limit: number,
): Promise<{ id: string; name: string }[]> {
  const whole = `select j.id, j.name from jobs.job j where ${text}
    order by j.created_on, j.id limit ${limit} for update skip locked`
  const { rows } = await db.executeQuery<{ id: string; name: string }>(CompiledQuery.raw(whole, [...values]))
  return rows
}

/**
 * They are tried once more, now: a failed one has used up its attempts. None of them is `created` again, of which only one
 * may wait under a key.
 */
export async function runAgain(db: Tx, ids: readonly string[]): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    update jobs.job j set state = 'retry', start_after = now(), completed_on = null,
      retry_limit = case when j.state = 'failed' then greatest(j.retry_limit, j.retry_count + 1) else j.retry_limit end,
      keep_until = now() + q.retention_seconds * interval '1 s', deletion_seconds = q.deletion_seconds
    from jobs.queue q
    where q.name = j.name and j.id = any(${ids}::uuid[]) and j.state in ('created', 'retry', 'failed', 'cancelled')
    returning j.name`.execute(db)
  for (const name of new Set(rows.map((row) => row.name))) await wake(db, name)
}

/** As pg-boss tells workers of a new job, once the transaction is kept. */
const wake = (db: Tx, queue: string) =>
  sql`select pg_notify('pgboss_' || left(encode(sha224('jobs'::bytea), 'hex'), 24), ${queue})`.execute(db)

/** `key`: under which it runs alone. */
export async function replaceData(db: Tx, id: string, data: object, key: string | null): Promise<void> {
  await sql`
    update jobs.job set data = ${JSON.stringify(data)}::jsonb, singleton_key = ${key},
      group_id = case when group_id is not null then ${key} end
    where id = ${id}`.execute(db)
}

export async function deleteJobs(db: Kysely<DB>, ids: readonly string[]): Promise<void> {
  await sql`delete from jobs.job where id = any(${ids}::uuid[]) and state <> 'active'`.execute(db)
}
