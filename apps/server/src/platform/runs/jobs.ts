import { z } from 'zod'
import { asSystem, type RequestContext } from '../../context.ts'
import { type Job, job } from '../job.ts'
import { advance } from './advance.ts'
import { type DurableRun, settingsOf } from './durable-run.ts'
import { findDueRuns } from './queries.ts'

const atOnce = 3

/** One job for each, and one that takes up what an ended process left or what is due. */
export const runJobs = (definitions: readonly DurableRun[]): readonly Job[] => [
  ...definitions.map((definition) =>
    job({
      ...settingsOf(definition.name),
      run: (ctx, { subject }, { signal }) => advance(ctx, definition, subject, signal),
    }),
  ),
  job({
    ...{ name: 'runs.sweep', input: z.object({}), schedule: '* * * * *', policy: 'alone' },
    ...{ retries: 0, expireS: 600, atStart: true },
    run: (ctx, _input, { signal }) => sweep(ctx, definitions, signal),
  }),
]

/**
 * Does them itself: to the queue the job of a killed process still runs, and until it expires no other one about the same
 * subject would.
 */
async function sweep(ctx: RequestContext, definitions: readonly DurableRun[], signal: AbortSignal): Promise<void> {
  const byName = new Map(definitions.map((definition) => [definition.name, definition]))
  const due = await findDueRuns(ctx.db, new Date(ctx.clock()))
  const work = async (): Promise<void> => {
    for (let next = due.shift(); next && !signal.aborted; next = due.shift()) {
      const definition = byName.get(next.name)
      if (definition) await quietly(asSystem(ctx, 'job', next.name), definition, next.subject, signal)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
}

/** One that cannot be taken up now must not keep the others; the next minute tries again. */
async function quietly(...[ctx, definition, subject, signal]: Parameters<typeof advance>): Promise<void> {
  try {
    await advance(ctx, definition, subject, signal)
  } catch (error) {
    ctx.log.warn({ err: error, run: definition.name, subject }, 'a run could not be taken up')
  }
}
