import type { queues } from '@agency/contract'
import type { QueryOf } from '@agency/contract/endpoint'
import type { QueueRun } from '@agency/contract/queues'
import type { Pool } from 'pg'
import { type List, readPage } from '../../../platform/keyset.ts'
import { runStatement, Values } from '../../../platform/statements.ts'

export type RunRow = Omit<QueueRun, 'touched'> & { subject: string }

const status = `case r.state when 'waiting' then 'pending' when 'running' then 'processing' when 'done' then 'completed'
  else r.state end`
const states = {
  pending: 'waiting',
  processing: 'running',
  completed: 'done',
  failed: 'failed',
  cancelled: 'cancelled',
} as const

const columns = `r.id, r.name as queue_name, r.kind, r.subject, ${status} as status, r.tries, iso_utc(r.created_at) as created_at,
  iso_utc(r.started_at) as started_at, iso_utc(r.finished_at) as finished_at, iso_utc(r.next_try_at) as next_run_at,
  r.actor_name as started_by,
  (
    select coalesce(json_agg(json_build_object('name', s.name, 'state', s.state, 'attempts', s.attempts, 'note', s.note,
      'started_at', iso_utc(s.started_at), 'finished_at', iso_utc(s.finished_at)) order by s.position), '[]')
    from run_steps s where s.run_id = r.id
  ) as steps`

export async function findRuns(
  pool: Pool,
  query: QueryOf<typeof queues.listQueueRuns>,
): Promise<{ runs: RunRow[]; has_more: boolean }> {
  const values = new Values()
  const list: List = {
    table: 'runs',
    alias: 'r',
    order: { from: 'runs r', key: 'r.created_at', id: 'r.id', isWhole: true },
    isDescending: true,
    where: query.status ? [`r.state = '${states[query.status]}'`] : [],
    ...{ columns, joins: '', total: null },
    values,
    isPrepared: false,
  }
  return JSON.parse(await readPage(pool, 'runs', list, query))
}

/** The newest about a subject. */
export async function findRunOf(pool: Pool, name: string, subject: string): Promise<RunRow | undefined> {
  const text = `select ${columns} from runs r where r.name = $1 and r.subject = $2
    order by r.created_at desc, r.id desc limit 1`
  const [run] = await runStatement<RunRow>(pool, { text, values: [name, subject] })
  return run
}
