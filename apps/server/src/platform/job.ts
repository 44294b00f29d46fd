import type { z } from 'zod'
import { type AppContext, asSystem, inTransaction, type RequestContext } from '../context.ts'
import type { JobRun, JobSettings } from './jobs.ts'
import { createMaintenance, mayRun } from './maintenance.ts'
import { inRoot } from './tracing.ts'

export type Job<Input extends z.ZodType = z.ZodType> = JobSettings<Input> & {
  /** Runs once more when a process starts: what the last one left half done does not wait for the schedule. */
  atStart?: boolean
  /** Runs at least once for each time it was enqueued, so doing it twice must change nothing. */
  run(ctx: RequestContext, input: z.output<Input>, run: JobRun): Promise<void>
}

/** Declares background work as data. */
export function job<Input extends z.ZodType>(definition: Job<Input>): Job<Input> {
  return definition
}

/** What comes by the clock comes again; the rest waits in its queue. */
async function waitsForRestore(ctx: AppContext, { name, schedule }: Job): Promise<boolean> {
  const maintenance = ctx.instance(createMaintenance)
  await maintenance.ready
  if (mayRun(name, maintenance.current())) return false
  if (schedule !== undefined) return true
  throw new Error('A backup is being restored')
}

/** From here on this process runs these jobs. */
export async function startJobs(ctx: AppContext, jobs: readonly Job[]): Promise<void> {
  // Asked for together, and before anything asks what there is to do: one after the other among all that, each took its time.
  await inTransaction(asSystem(ctx, 'job', 'start'), async (tx) => {
    for (const definition of jobs) if (definition.atStart) await ctx.jobs.enqueue(tx, definition, {})
  })
  for (const definition of jobs) {
    await ctx.jobs.work(definition, (input, run) =>
      inRoot(
        ctx.tracer,
        `job ${definition.name}`,
        'consumer',
        { 'job.id': run.id, 'job.attempt': run.attempt },
        async () => {
          if (await waitsForRestore(ctx, definition)) return
          await definition.run({ ...asSystem(ctx, 'job', definition.name), ...ctx.jobDatabase }, input, run)
        },
      ),
    )
  }
}
