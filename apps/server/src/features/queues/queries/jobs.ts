import type { queues } from '@agency/contract'
import type { QueryOf } from '@agency/contract/endpoint'
import type { JobFilters } from '@agency/contract/queues'
import { CompiledQuery, type Kysely } from 'kysely'
import type { Pool } from 'pg'
import type { DB } from '../../../db/types.ts'
import { type List, readPage } from '../../../platform/keyset.ts'
import { runStatement, Values } from '../../../platform/statements.ts'
import { conditionsOf } from './filters.ts'
import { type JobRow, jobColumns, statusOf } from './rows.ts'

export type JobsQuery = QueryOf<typeof queues.listQueueJobs>

export async function findJobs(
  pool: Pool,
  query: JobsQuery,
  about: readonly string[],
): Promise<{ jobs: JobRow[]; has_more: boolean }> {
  const values = new Values()
  const list: List = {
    table: 'jobs.job',
    alias: 'j',
    order: { from: 'jobs.job j', key: 'j.created_on', id: 'j.id', isWhole: true },
    isDescending: query.sort.startsWith('-'),
    where: conditionsOf(values, query, about),
    ...{ columns: jobColumns, joins: '', total: null },
    values,
    isPrepared: false,
  }
  return JSON.parse(await readPage(pool, 'jobs', list, query))
}

export type FullJobRow = JobRow & { error_detail: string | null; key: string | null }

const fullText = `select ${jobColumns}, j.singleton_key as key,
    case when j.state in ('retry', 'failed') then left(j.output ->> 'stack', 8000) end as error_detail
  from jobs.job j where j.id = $1`

export async function findJob(db: Kysely<DB>, id: string): Promise<FullJobRow | undefined> {
  const { rows } = await db.executeQuery<FullJobRow>(CompiledQuery.raw(fullText, [id]))
  return rows[0]
}

export type JobGroup = { queue_name: string; status: JobRow['status']; is_due: boolean; jobs: number }

/** How many the filters leave, by what decides of what can be done with them. */
export async function countJobs(
  pool: Pool,
  filters: JobFilters,
  about: readonly string[],
  until: Date,
): Promise<JobGroup[]> {
  const values = new Values()
  const where = [...conditionsOf(values, filters, about), `j.created_on <= ${values.add(until)}`]
  const text = `select j.name as queue_name, ${statusOf('j.state')} as status,
    j.state < 'active' and j.start_after <= now() as is_due, count(*) as jobs
    from jobs.job j where ${where.join(' and ')} group by 1, 2, 3`
  return runStatement<JobGroup>(pool, { text, values: values.list })
}
