import type { JobStatus } from '@agency/contract/queues'
import { type Kysely, sql } from 'kysely'
import type { Pool } from 'pg'
import type { DB } from '../../../db/types.ts'
import { internalQueue } from '../../../platform/job-table.ts'
import { runStatement } from '../../../platform/statements.ts'
import { durationOf, statusOf } from './rows.ts'

export type QueueRow = {
  queue_name: string
  waiting: number
  running: number
  failed: number
  counted_at: string | null
  paused: { at: string; by: string } | null
}

// The counts are pg-boss's own, of a few seconds ago: to count here would cost as much as there are jobs.
const queuesText = `select q.name as queue_name, q.queued_count as waiting, q.active_count as running, q.failed_count as failed,
    iso_utc(q.monitor_on) as counted_at,
    case when p.queue is not null then json_build_object('at', iso_utc(p.paused_at), 'by', p.paused_by) end as paused
  from jobs.queue q left join queue_pauses p on p.queue = q.name
  where q.name <> '${internalQueue}' and ($1::text is null or q.name = $1) order by q.name`

export const findQueues = (pool: Pool, name: string | null = null): Promise<QueueRow[]> =>
  runStatement(pool, { text: queuesText, values: [name] })

export type ScheduleRow = {
  queue_name: string
  cron: string
  paused: boolean
  last: { id: string; status: JobStatus; created_at: string; duration_ms: number | null } | null
}

const schedulesText = `select s.name as queue_name, s.cron,
    exists (select from queue_pauses p where p.queue = s.name) as paused,
    (
      select json_build_object('id', j.id, 'status', ${statusOf('j.state')}, 'created_at', iso_utc(j.created_on),
        'duration_ms', ${durationOf('j')})
      from jobs.job j where j.name = s.name order by j.created_on desc, j.id desc limit 1
    ) as last
  from jobs.schedule s where s.kind = 'cron' and s.name <> '${internalQueue}' order by s.name`

export const findSchedules = (pool: Pool): Promise<ScheduleRow[]> =>
  runStatement(pool, { text: schedulesText, values: [] })

/** false: it is paused already. */
export async function insertPause(db: Kysely<DB>, queue: string, at: Date, by: string): Promise<boolean> {
  const { rows } = await sql`
    insert into queue_pauses (queue, paused_at, paused_by) values (${queue}, ${at}, ${by})
    on conflict do nothing returning queue`.execute(db)
  return rows.length > 0
}

/** undefined: it was not paused. */
export async function deletePause(
  db: Kysely<DB>,
  queue: string,
): Promise<{ paused_at: Date; paused_by: string } | undefined> {
  return db
    .deleteFrom('queue_pauses')
    .where('queue', '=', queue)
    .returning(['paused_at', 'paused_by'])
    .executeTakeFirst()
}

export async function findPaused(db: Kysely<DB>): Promise<string[]> {
  const rows = await db.selectFrom('queue_pauses').select('queue').execute()
  return rows.map(({ queue }) => queue)
}
