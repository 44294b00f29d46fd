import type { QueueJob, QueueJobDetails } from '@agency/contract/queues'
import type { AppContext } from '../../../context.ts'
import { notFound } from '../../../platform/errors.ts'
import { jobTitle } from '../../../platform/job-titles.ts'
import { type Catalogue, denialsOf, isDue } from '../catalogue.ts'
import { findAbout } from '../queries/about.ts'
import { type FullJobRow, findJob, findJobs, type JobsQuery } from '../queries/jobs.ts'
import type { JobRow } from '../queries/rows.ts'
import { findRunOf } from '../queries/runs.ts'
import { findTouched } from '../touched.ts'
import { withTouched } from './runs.ts'

type Ctx = Pick<AppContext, 'db' | 'pool' | 'clock'>

function shown(
  { data: _, ...row }: JobRow,
  catalogue: Catalogue,
  touched: QueueJob['touched'],
  nowMs: number,
): QueueJob {
  const definition = catalogue.get(row.queue_name)
  return {
    ...row,
    job_type: jobTitle(row.queue_name),
    guard: definition?.guard ?? null,
    ...denialsOf({ status: row.status, isDue: isDue(row, nowMs) }, definition),
    touched,
  }
}

export async function listJobs(
  ctx: Ctx,
  catalogue: Catalogue,
  query: JobsQuery,
): Promise<{ jobs: QueueJob[]; has_more: boolean }> {
  const { jobs, has_more } = await findJobs(ctx.pool, query, await findAbout(ctx.pool, query.search))
  const touched = await findTouched(ctx, jobs)
  return { jobs: jobs.map((row, index) => shown(row, catalogue, touched[index] ?? [], ctx.clock())), has_more }
}

export async function getRow({ db }: Pick<AppContext, 'db'>, id: string): Promise<FullJobRow> {
  const row = await findJob(db, id)
  if (!row) throw notFound(`Job ${id}`)
  return row
}

export async function getJob(ctx: Ctx, catalogue: Catalogue, id: string): Promise<QueueJobDetails> {
  const { error_detail, key, ...row } = await getRow(ctx, id)
  const [touched = []] = await findTouched(ctx, [row])
  const { subject } = row.data
  const run = typeof subject === 'string' ? await findRunOf(ctx.pool, row.queue_name, subject) : undefined
  const [shownRun = null] = run ? await withTouched(ctx, [run]) : []
  return { ...shown(row, catalogue, touched, ctx.clock()), data: row.data, error_detail, key, run: shownRun }
}
