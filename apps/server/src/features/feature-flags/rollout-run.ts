import type { RequestContext, TransactionContext } from '../../context.ts'
import { AppError } from '../../platform/errors.ts'
import { durableRun, type Later, type Outcome } from '../../platform/runs/durable-run.ts'
import { findSteps, type RunRow, type StepRow } from '../../platform/runs/queries.ts'
import { notify } from '../notifications/index.ts'
import { greenOf, signalsOf } from './guard.ts'
import { rolloutName } from './job-settings.ts'
import { type FlagRow, findFlag, lockFlag } from './queries/flags.ts'
import type { RolloutOptions, StepPayload } from './queries/rollouts.ts'
import { saveSettings } from './service/change-flags.ts'
import { dueTimes } from './to-flag.ts'

const minuteMs = 60_000
/** It is woken by whoever resumes it. */
const pausedMs = 86_400_000

/** A flag on its way through the steps of a rollout. */
export const rolloutRun = durableRun({
  name: rolloutName,
  steps: { set },
  topics: ['feature_flags'],
  judge: (error) => ({
    reason: error instanceof AppError && error.code !== 'internal' ? error.message.replace(/\.$/, '') : 'Unknown error',
  }),
  // About an hour.
  mostTries: 12,
  lock: (tx, flagId) => lockFlag(tx, flagId),
  failed: tellFailed,
})

async function dueAt(ctx: RequestContext, run: RunRow, step: StepRow): Promise<Date> {
  const steps = (await findSteps(ctx.db, [run.id])).map(({ state, payload, note, finished_at }) => ({
    ...{ state, payload: payload as StepPayload, note, finished_at: finished_at?.toISOString() ?? null },
  }))
  const times = dueTimes({ options: run.options as RolloutOptions, created_at: run.created_at, steps })
  return times[step.position] ?? run.created_at
}

async function set(ctx: RequestContext, run: RunRow, step: StepRow): Promise<Outcome | Later> {
  const flag = await findFlag(ctx, run.subject)
  if (!flag) return { state: 'skipped', note: 'The flag is gone' }
  if (flag.paused_at) return { state: 'later', until: new Date(ctx.clock() + pausedMs), note: flag.paused_reason }
  const due = await dueAt(ctx, run, step)
  if (due.getTime() > ctx.clock()) return { state: 'later', until: due }
  const isFirst = step.position === 0
  const { needs_green } = run.options as RolloutOptions
  const trouble = isFirst || !needs_green ? null : greenOf(await signalsOf(ctx, flag), flag.guard)
  if (trouble !== null) return { state: 'later', until: new Date(ctx.clock() + minuteMs), note: `Waiting: ${trouble}` }
  return { state: 'done', record: (tx) => take(tx, run, step) }
}

async function take(tx: TransactionContext, run: RunRow, step: StepRow): Promise<void> {
  const before = await lockFlag(tx, run.subject)
  if (!before) return
  if (before.paused_at) throw new AppError('conflict', 'It was paused in that moment')
  const { enabled, rollout_percentage } = step.payload as StepPayload
  await saveSettings(tx, {
    ...{ action: 'feature_flag.step', before, patch: { enabled, rollout_percentage } },
    reason: `Step ${step.position + 1} of the rollout that ${run.actor_name} started`,
  })
}

export const linkOf = ({ id }: Pick<FlagRow, 'id'>): string => `/admin/features?open=${encodeURIComponent(id)}`

async function tellFailed(tx: TransactionContext, run: RunRow, _step: StepRow, reason: string): Promise<void> {
  const flag = await findFlag(tx, run.subject)
  if (!flag) return
  await notify(tx, {
    ...{ dedupeKey: `flag.rollout:${run.id}`, type: 'flag.paused', severity: 'error', permission: 'admin.system' },
    ...{ title: `The rollout of ${flag.name} failed`, body: reason, link: linkOf(flag) },
  })
}
