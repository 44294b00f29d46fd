import { z } from 'zod'
import { asSystem, type RequestContext } from '../../context.ts'
import { type Job, job } from '../job.ts'
import { advance } from './advance.ts'
import { type DurableRun, settingsOf, usualS } from './durable-run.ts'
import { findDueRuns } from './queries.ts'

const atOnce = 3

/** One job for each, and one that takes up what an ended process left or what is due. */
export const runJobs = (definitions: readonly DurableRun[]): readonly Job[] => [
  ...definitions.map((definition) =>
    job({
      ...settingsOf(definition.name, definition.longestS),
      ...(definition.guard && { guard: definition.guard }),
      run: (ctx, { subject }, { signal }) =>
        subject === undefined ? sweep(ctx, [definition], signal) : advance(ctx, definition, subject, signal),
    }),
  ),
  sweepJob(
    'runs.sweep',
    usualS,
    definitions.filter(({ longestS }) => longestS === undefined),
  ),
  // Else what takes hours would keep the others waiting.
  ...definitions
    .filter(({ longestS }) => longestS !== undefined)
    .map((definition) => sweepJob(`${definition.name}_sweep`, definition.longestS ?? usualS, [definition])),
]

const sweepJob = (name: string, expireS: number, definitions: readonly DurableRun[]): Job =>
  job({
    ...{ name, input: z.object({}), schedule: '* * * * *', policy: 'alone' },
    ...{ retries: 0, expireS, atStart: true },
    run: (ctx, _input, { signal }) => sweep(ctx, definitions, signal),
  })

/**
 * Takes in what is to be begun, and goes on with what is due. It does that itself: to the queue the job of a killed process
 * still runs, and until it expires no other one about the same subject would.
 */
export async function sweep(
  ctx: RequestContext,
  definitions: readonly DurableRun[],
  signal: AbortSignal,
): Promise<void> {
  const ready = new Map<string, { definition: DurableRun; as: RequestContext }>()
  for (const definition of definitions) {
    const as = asSystem(ctx, 'job', definition.name)
    if (definition.isReady?.(as) === false) continue
    ready.set(definition.name, { definition, as })
    await quietly(as, definition.name, () => definition.takeIn?.(as))
  }
  if (ready.size === 0) return
  const due = await findDueRuns(ctx.db, [...ready.keys()], new Date(ctx.clock()))
  const work = async (): Promise<void> => {
    for (let next = due.shift(); next && !signal.aborted; next = due.shift()) {
      const { name, subject } = next
      const found = ready.get(name)
      if (found) await quietly(found.as, name, () => advance(found.as, found.definition, subject, signal))
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
}

/** What cannot be taken up now must not keep the others; the next minute tries again. */
async function quietly(ctx: RequestContext, run: string, work: () => Promise<void> | undefined): Promise<void> {
  try {
    await work()
  } catch (error) {
    ctx.log.warn({ err: error, run }, 'a run could not be taken up')
  }
}
