import { inTransaction, type RequestContext, type TransactionContext } from '../../context.ts'
import { sessionLock } from '../session-lock.ts'
import {
  type DurableRun,
  type Failure,
  type Later,
  type Outcome,
  pauseAfter,
  retriedByItself,
  settingsOf,
} from './durable-run.ts'
import { createProgress } from './progress.ts'
import {
  findRun,
  findSteps,
  hasEnded,
  isOpen,
  lockOpenRun,
  lockRun,
  overtakeTries,
  patchRun,
  patchStep,
  type RunRow,
  type StepRow,
} from './queries.ts'

type Taken = { run: RunRow; step: StepRow }

const never = new AbortController().signal

/** Only one process at a time; null in all others. The lock ends with its process. */
async function alone<T>(
  { pool }: Pick<RequestContext, 'pool'>,
  name: string,
  subject: string,
  work: () => Promise<T>,
): Promise<{ result: T } | null> {
  const release = await sessionLock(pool, `${name} of ${subject}`)
  if (!release) return null
  try {
    return { result: await work() }
  } finally {
    await release()
  }
}

/**
 * Does something about a subject while no process goes on with what is open about it; null when one does. A try of which only
 * the lock has ended writes nothing down any more, and so sends nothing.
 */
export const whileIdle = <T>(
  ctx: Pick<RequestContext, 'pool' | 'db'>,
  name: string,
  subject: string,
  work: () => Promise<T>,
): Promise<{ result: T } | null> =>
  alone(ctx, name, subject, async () => {
    await overtakeTries(ctx.db, name, subject)
    return work()
  })

/** Goes on with what is open as far as it gets. Only one process does at a time, and whatever ends it, the next goes on. */
export async function advance(
  ctx: RequestContext,
  definition: DurableRun,
  subject: string,
  signal?: AbortSignal,
): Promise<void> {
  if (definition.isReady?.(ctx) === false) return
  await alone(ctx, definition.name, subject, async () => {
    while (!signal?.aborted) {
      const taken = await takeStep(ctx, definition, subject)
      if (!taken || !(await tryStep(ctx, definition, taken, signal))) return
    }
  })
}

/** The first step that is not done yet. */
function takeStep(ctx: RequestContext, { name }: DurableRun, subject: string): Promise<Taken | null> {
  return inTransaction(ctx, async (tx) => {
    const run = await lockOpenRun(tx.db, name, subject)
    if (!run) return null
    const now = new Date(tx.clock())
    const step = (await findSteps(tx.db, [run.id])).find((one) => !hasEnded(one))
    if (!step) {
      await end(tx, run)
      return null
    }
    await patchRun(tx.db, run.id, { state: 'running', started_at: run.started_at ?? now })
    const begun = {
      ...{ state: 'running', started_at: step.started_at ?? now, attempts: step.attempts + 1 },
      ...{ progress_done: null, progress_total: null, progress_text: null },
    }
    await patchStep(tx.db, step, begun)
    return { run: { ...run, state: 'running' }, step: { ...step, ...begun } }
  })
}

/** Answers whether it gets further now. */
async function tryStep(
  ctx: RequestContext,
  definition: DurableRun,
  taken: Taken,
  stop: AbortSignal = never,
): Promise<boolean> {
  const { run, step } = taken
  try {
    const outcome = await doStep(ctx, definition, taken, stop)
    const isLater = outcome.state === 'later'
    const isKept = await ifStill(ctx, definition, taken, (tx) =>
      isLater ? wait(tx, definition, taken, outcome) : finish(tx, taken, outcome),
    )
    for (const topic of definition.topics) ctx.changes.tell(topic)
    return (isKept && !isLater) || (!isKept && (await wasCalledOff(ctx, run)))
  } catch (error) {
    // Nothing has failed: the next process goes on.
    if (stop.aborted) return false
    const failure = definition.judge(error)
    const isFinal = failure.isFinal || run.tries + 1 >= definition.mostTries
    ctx.log.warn({ err: error, run: run.id, step: step.name }, 'a step did not get further')
    const write = isFinal ? fail : postpone
    const isKept = await ifStill(ctx, definition, taken, (tx) => write(tx, definition, taken, failure))
    return !isKept && wasCalledOff(ctx, run)
  }
}

/** Then what follows it goes on at once. Otherwise another process has taken it up. */
async function wasCalledOff({ db }: RequestContext, { id }: RunRow): Promise<boolean> {
  const now = await findRun(db, id)
  return !now || !isOpen(now)
}

async function doStep(
  ctx: RequestContext,
  { steps }: DurableRun,
  { run, step }: Taken,
  stop: AbortSignal,
): Promise<Outcome | Later> {
  const handler = steps[step.name]
  if (!handler) throw new Error(`There is no step ${step.name}`)
  const progress = createProgress(ctx, step)
  try {
    const signal = AbortSignal.any([stop, progress.overtaken])
    return await handler(ctx, run, step, { signal, progress: progress.note })
  } finally {
    await progress.end()
  }
}

/**
 * What a step writes down, while it is done and at its end. Answers false, and nothing is written, when it was called off
 * meanwhile or another try of it has begun.
 */
export function ifStill(
  ctx: RequestContext,
  { lock }: Pick<DurableRun, 'lock'>,
  { run, step }: Taken,
  work: (tx: TransactionContext) => Promise<void>,
): Promise<boolean> {
  return inTransaction(ctx, async (tx) => {
    await lock?.(tx, run.subject)
    const now = await lockRun(tx.db, run.id)
    const steps = await findSteps(tx.db, [run.id])
    const mine = steps.find(({ position }) => position === step.position)
    if (!now || !isOpen(now) || !mine || hasEnded(mine) || mine.attempts !== step.attempts) return false
    await work(tx)
    return true
  })
}

async function finish(tx: TransactionContext, { run, step }: Taken, outcome: Outcome): Promise<void> {
  await outcome.record?.(tx)
  await patchStep(tx.db, step, {
    state: outcome.state,
    note: outcome.note ?? null,
    finished_at: new Date(tx.clock()),
    provider_request_id: outcome.requestId ?? null,
  })
  const isLast = (await findSteps(tx.db, [run.id])).every(hasEnded)
  if (isLast) await end(tx, run)
  else await patchRun(tx.db, run.id, { tries: 0, next_try_at: new Date(tx.clock()) })
}

/** The sweep looks every minute. */
const sweptMs = 60_000

async function wait(
  tx: TransactionContext,
  { name, longestS }: DurableRun,
  { run, step }: Taken,
  later: Later,
): Promise<void> {
  await patchStep(tx.db, step, { state: 'waiting', note: later.note ?? null })
  await patchRun(tx.db, run.id, { tries: 0, next_try_at: later.until })
  const { subject } = run
  // A job that waits for long would be in the way of one that is enqueued for now.
  if (later.until.getTime() - tx.clock() >= sweptMs) return
  await tx.jobs.enqueue(tx, settingsOf(name, longestS), { subject }, { key: subject, startAfter: later.until })
}

const end = (tx: TransactionContext, { id }: RunRow) =>
  patchRun(tx.db, id, { state: 'done', finished_at: new Date(tx.clock()), next_try_at: null, tries: 0 })

const keysEnded = ({ keys_ended }: StepRow, { endsKey }: Failure): number => keys_ended + (endsKey ? 1 : 0)

async function postpone(
  tx: TransactionContext,
  { name, postponed, longestS }: DurableRun,
  { run, step }: Taken,
  failure: Failure,
): Promise<void> {
  const tries = run.tries + 1
  const nextTryAt = new Date(tx.clock() + pauseAfter(tries))
  await patchStep(tx.db, step, { note: retriedByItself(failure.reason), keys_ended: keysEnded(step, failure) })
  await patchRun(tx.db, run.id, { tries, next_try_at: nextTryAt })
  const { subject } = run
  await tx.jobs.enqueue(tx, settingsOf(name, longestS), { subject }, { key: subject, startAfter: nextTryAt })
  await postponed?.(tx, run, { tries, reason: failure.reason })
}

async function fail(
  tx: TransactionContext,
  definition: DurableRun,
  { run, step }: Taken,
  failure: Failure,
): Promise<void> {
  await patchStep(tx.db, step, { state: 'failed', note: failure.reason, keys_ended: keysEnded(step, failure) })
  await patchRun(tx.db, run.id, { state: 'failed', finished_at: new Date(tx.clock()), next_try_at: null })
  await definition.failed(tx, run, step, failure.reason)
}
