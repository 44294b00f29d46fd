import { inTransaction, type RequestContext } from '../../context.ts'
import { recordAudit } from '../../platform/audit.ts'
import { sessionLock } from '../../platform/job-connections.ts'
import { notify } from '../notifications/index.ts'
import { runSettings } from './job-settings.ts'
import type { Kind } from './plan.ts'
import { findSteps, lockRun, patchRun, patchStep, type RunRow, type StepRow } from './queries/runs.ts'
import { doStep } from './steps/do-step.ts'
import { type Outcome, Refused, reasonOf, wasAnswered } from './steps/outcome.ts'
import { stepTitle } from './words.ts'

const firstPauseMs = 5000
const longestPauseMs = 10 * 60_000
/** About an hour; then somebody has to look. */
const mostTries = 12

const pauseAfter = (tries: number): number => Math.min(firstPauseMs * 2 ** Math.min(tries - 1, 20), longestPauseMs)

/** Goes on with a run as far as it gets. Only one process does at a time, and whatever ends it, the next goes on. */
export async function advanceRun(ctx: RequestContext, id: string, signal: AbortSignal): Promise<void> {
  const release = await sessionLock(ctx.pool, `lifecycle run ${id}`)
  if (!release) return
  try {
    while (!signal.aborted) {
      const next = await takeStep(ctx, id)
      if (!next || !(await tryStep(ctx, next.run, next.step))) return
    }
  } finally {
    await release()
  }
}

const ended = ['done', 'skipped', 'cancelled']

/** The first step that is not done yet; a run without one is done. */
function takeStep(ctx: RequestContext, id: string): Promise<{ run: RunRow; step: StepRow } | null> {
  return inTransaction(ctx, async (tx) => {
    const run = await lockRun(tx.db, id)
    if (!run || (run.state !== 'waiting' && run.state !== 'running')) return null
    const now = new Date(tx.clock())
    const step = (await findSteps(tx.db, id)).find(({ state }) => !ended.includes(state))
    if (!step) {
      await patchRun(tx.db, id, { state: 'done', finished_at: now, next_try_at: null, tries: 0 })
      return null
    }
    await patchRun(tx.db, id, { state: 'running', started_at: run.started_at ?? now })
    const begun = { state: 'running', started_at: step.started_at ?? now, attempts: step.attempts + 1 }
    await patchStep(tx.db, step, begun)
    return { run: { ...run, state: 'running' }, step: { ...step, ...begun } }
  })
}

/** Answers whether the run gets further now. */
async function tryStep(ctx: RequestContext, run: RunRow, step: StepRow): Promise<boolean> {
  try {
    const outcome = await doStep(ctx, run, step)
    await inTransaction(ctx, (tx) => finish(tx, run, step, outcome))
    for (const topic of ['lifecycle', 'customers'] as const) ctx.changes.tell(topic)
    return true
  } catch (error) {
    const isFinal = error instanceof Refused || run.tries + 1 >= mostTries
    ctx.log.warn({ err: error, run: run.id, step: step.kind }, 'a step did not get further')
    await inTransaction(ctx, (tx) => (isFinal ? fail(tx, run, step, error) : postpone(tx, run, step, error)))
    return false
  }
}

type Tx = Parameters<Parameters<typeof inTransaction<void, RequestContext>>[1]>[0]

async function finish(tx: Tx, run: RunRow, step: StepRow, outcome: Outcome): Promise<void> {
  const locked = await lockRun(tx.db, run.id)
  const steps = await findSteps(tx.db, run.id)
  if (!locked || ended.includes(steps.find(({ position }) => position === step.position)?.state ?? '')) return
  await outcome.record?.(tx)
  await patchStep(tx.db, step, {
    state: outcome.state,
    note: outcome.note ?? null,
    finished_at: new Date(tx.clock()),
    provider_request_id: outcome.requestId ?? null,
  })
  await patchRun(tx.db, run.id, { tries: 0, next_try_at: new Date(tx.clock()) })
}

/** A key whose answer was a failure would be answered with it again. */
const nextKey = (step: StepRow, error: unknown): string => {
  const payload = step.payload as { key?: number }
  return JSON.stringify(wasAnswered(error) ? { ...payload, key: (payload.key ?? 0) + 1 } : payload)
}

async function payloadNow(tx: Tx, step: StepRow): Promise<StepRow> {
  const steps = await findSteps(tx.db, step.run_id)
  return steps.find(({ position }) => position === step.position) ?? step
}

async function postpone(tx: Tx, run: RunRow, step: StepRow, error: unknown): Promise<void> {
  const tries = run.tries + 1
  const nextTryAt = new Date(tx.clock() + pauseAfter(tries))
  const payload = nextKey(await payloadNow(tx, step), error)
  await patchStep(tx.db, step, { note: `${reasonOf(error)}. It is tried again by itself.`, payload })
  await patchRun(tx.db, run.id, { tries, next_try_at: nextTryAt })
  await tx.jobs.enqueue(tx, runSettings, { run: run.id }, { key: run.id, startAfter: nextTryAt })
}

const failures: Record<Kind, string> = {
  suspend: 'A suspension could not be finished',
  unsuspend: 'A suspension could not be lifted',
  delete: 'A customer could not be deleted',
  erase: 'A customer could not be erased',
}

async function fail(tx: Tx, run: RunRow, step: StepRow, error: unknown): Promise<void> {
  const kind = run.kind as Kind
  const reason = reasonOf(error)
  const now = new Date(tx.clock())
  const payload = nextKey(await payloadNow(tx, step), error)
  await patchStep(tx.db, step, { state: 'failed', note: reason, payload })
  await patchRun(tx.db, run.id, { state: 'failed', finished_at: now, next_try_at: null })
  await recordAudit(tx, {
    action: `customer.${kind}`,
    resource: 'customer',
    id: run.customer_id,
    outcome: 'failed',
    after: { state: 'failed', run_id: run.id, started_by: run.actor_name, step: step.kind, reason },
  })
  await notify(tx, {
    dedupeKey: `lifecycle.failed:${run.id}:${step.position}:${step.attempts}`,
    type: 'lifecycle.failed',
    severity: 'error',
    permission: 'customers.read',
    title: failures[kind],
    body: `${stepTitle(kind, step)}: ${reason}. What was done before it is kept; it can be tried again.`,
    link: `/admin/customers?open=${encodeURIComponent(run.customer_id)}`,
  })
}
