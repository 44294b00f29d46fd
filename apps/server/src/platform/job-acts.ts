import { CompiledQuery, type Kysely, sql, type Transaction } from 'kysely'
import type { Pool } from 'pg'
import { isUniqueViolation } from '../db/errors.ts'
import type { DB } from '../db/types.ts'
import { runStatement, type Statement } from './statements.ts'

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

/** Those with a job that may begin, whether or not anybody may begin it here. */
export async function findDueQueues(pool: Pool): Promise<string[]> {
  const text = `select q.name from jobs.queue q where exists (
    select from jobs.job j where j.name = q.name and j.state < 'active' and not j.blocked and j.start_after <= now()
  )`
  const rows = await runStatement<{ name: string }>(pool, { text, values: [], prepare: true })
  return rows.map(({ name }) => name)
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
const notice = (queue: string) => sql`pg_notify('pgboss_' || left(encode(sha224('jobs'::bytea), 'hex'), 24), ${queue})`

const wake = (db: Tx, queue: string) => sql`select ${notice(queue)}`.execute(db)

/**
 * The job that waits under this key begins after this transaction has ended, so that it sees what was written here, and
 * not later than `startAfter`. False when none waits any more.
 */
export async function joinWaiting(
  db: Kysely<DB>,
  queue: string,
  { key = '', startAfter }: { key?: string | undefined; startAfter?: Date | undefined },
): Promise<boolean> {
  const waiting = sql`name = ${queue} and coalesce(singleton_key, '') = ${key} and state = 'created'`
  const at = sql`${startAfter ?? sql`now()`}`
  const sooner = await sql`
    with sooner as (update jobs.job set start_after = ${at} where ${waiting} and start_after > ${at} returning start_after)
    select case when start_after <= now() then ${notice(queue)}::text end from sooner`.execute(db)
  if (sooner.rows.length > 0) return true
  // Workers pass over a job that is locked, so they are told of it once it is free.
  const held = await sql`
    with held as (select start_after from jobs.job where ${waiting} for share)
    select case when start_after <= now() then ${notice(queue)}::text end from held`.execute(db)
  return held.rows.length > 0
}

/** It waits again, as if nobody had begun it; where another one waits already, that one is enough. */
export async function giveBack(db: Pick<Pool, 'query'>, id: string, seconds: number): Promise<void> {
  const text = `update jobs.job set state = 'created', started_on = null, start_after = now() + $2 * interval '1 s'
    where id = $1 and state = 'active'`
  await db.query(text, [id, seconds]).catch((error: unknown) => {
    if (!isUniqueViolation(error)) throw error
  })
}

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
