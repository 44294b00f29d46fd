import type { AppContext } from '../../../context.ts'
import { type EnqueueOptions, type Jobs, openJobs } from '../../../platform/jobs.ts'
import { openListener } from '../../../platform/listener.ts'
import { createLogger } from '../../../platform/logger.ts'
import { jobs as allJobs } from '../../index.ts'

type Ctx = Pick<AppContext, 'db' | 'pool' | 'jobs'>

/** Enqueues a job as its feature does. */
export async function makeJob(
  ctx: Ctx,
  name: string,
  input: object = {},
  options: EnqueueOptions = {},
): Promise<string> {
  const job = allJobs.find((known) => known.name === name)
  if (!job) throw new Error(`There is no job ${name}`)
  const id = await ctx.jobs.enqueue(ctx, job, input, options)
  if (id === null) throw new Error(`An equal job ${name} waits already`)
  return id
}

/** As pg-boss leaves a job whose attempts are used up: it is taken out and put in again. */
export async function failJob({ pool }: Pick<Ctx, 'pool'>, id: string, message: string, minutesAgo = 0): Promise<void> {
  await pool.query(
    `with gone as (delete from jobs.job where id = $1 returning *)
    insert into jobs.job (id, name, data, state, retry_limit, retry_count, created_on, started_on, completed_on, output,
        policy, singleton_key, group_id, keep_until, deletion_seconds)
      select id, name, data, 'failed', retry_limit, retry_limit, created_on, now() - interval '1.5 s' - $3 * interval '1 min',
        now() - $3 * interval '1 min', $2, policy, singleton_key, group_id, now() - interval '1 h', deletion_seconds from gone`,
    [id, JSON.stringify({ name: 'Error', message, stack: `Error: ${message}\n    at work.ts:1:1` }), minutesAgo],
  )
}

export async function setState({ pool }: Pick<Ctx, 'pool'>, id: string, state: string): Promise<void> {
  await pool.query(
    `update jobs.job set state = $2::jobs.job_state, started_on = now() - interval '2 s',
      completed_on = case when $2 in ('completed', 'cancelled') then now() end where id = $1`,
    [id, state],
  )
}

/** Where no queue was opened: the same tables, made and left. */
export async function jobsOf(ctx: AppContext): Promise<Jobs & { close(): Promise<void> }> {
  const { connectionString } = ctx.pool.options
  if (!connectionString) throw new Error('The pool of a test is made by its connection string')
  const log = createLogger('silent')
  const listener = await openListener(connectionString, log)
  const jobs = await openJobs({ pool: ctx.pool, listener, log })
  return {
    ...jobs,
    async close() {
      await jobs.stop()
      await listener.stop()
    },
  }
}
