import { randomUUID } from 'node:crypto'
import type { BodyOf } from '@agency/contract/endpoint'
import type { FeatureFlag, startFlagRollout } from '@agency/contract/feature-flags'
import { inTransaction, type RequestContext, type TransactionContext } from '../../../context.ts'
import { recordAudit } from '../../../platform/audit.ts'
import { AppError, invalidParameter } from '../../../platform/errors.ts'
import { beginRun, cancelRun, wakeRun } from '../../../platform/runs/change.ts'
import { lockOpenRun, type RunRow } from '../../../platform/runs/queries.ts'
import { rolloutName } from '../job-settings.ts'
import { type FlagRow, lockFlag, patchFlag, rankCustomers } from '../queries/flags.ts'
import type { RolloutOptions, StepPayload } from '../queries/rollouts.ts'
import { lockLive, pauseIfOpen, refuseOutdated, saveSettings } from './change-flags.ts'
import { getFlag } from './get-flags.ts'

type Terms = BodyOf<typeof startFlagRollout>

const yearMs = 366 * 86_400_000

export async function startRollout(ctx: RequestContext, id: string, terms: Terms): Promise<FeatureFlag> {
  const { version, starts_at, rollout_by, needs_green, steps } = terms
  const ahead = starts_at === null ? 0 : Date.parse(starts_at) - ctx.clock()
  if (starts_at !== null && (ahead < -60_000 || ahead > yearMs))
    throw invalidParameter('starts_at', 'must be within the next year')
  await inTransaction(ctx, async (tx) => {
    const flag = await lockLive(tx, id)
    refuseOutdated(flag, version)
    if (await lockOpenRun(tx.db, rolloutName, id))
      throw new AppError('conflict', 'A rollout of this flag is going on. Cancel it first.')
    await countBy(tx, flag, rollout_by ?? flag.rollout_by)
    await patchFlag(tx, id, { paused_at: null, paused_reason: null }, false)
    const options: RolloutOptions = { starts_at, needs_green }
    await beginRun(tx, {
      ...{ id: randomUUID(), name: rolloutName, kind: 'rollout', subject: id, topic: 'feature_flags', options },
      steps: steps.map((payload: StepPayload) => ({ name: 'set', target: null, payload })),
    })
    await recordAudit(tx, {
      ...{ action: 'feature_flag.start_rollout', resource: 'feature_flag', id },
      after: { name: flag.name, reason: stepsText(steps), starts_at, needs_green, steps },
    })
  })
  return getFlag(ctx, id)
}

/** Who is in already stays in: the order by revenue is made anew only while nobody is. */
async function countBy(tx: TransactionContext, flag: FlagRow, by: FlagRow['rollout_by']): Promise<void> {
  if (by !== flag.rollout_by)
    await saveSettings(tx, { action: 'feature_flag.update', before: flag, patch: { rollout_by: by } })
  else if (by === 'revenue' && (!flag.enabled || flag.rollout_percentage === 0)) await rankCustomers(tx, flag.id)
}

const stepText = ({ enabled, rollout_percentage }: StepPayload): string => (enabled ? `${rollout_percentage}%` : 'off')
const stepsText = (steps: readonly StepPayload[]): string => `Steps: ${steps.map(stepText).join(', then ')}`

async function lockRollout(tx: TransactionContext, id: string): Promise<{ flag: FlagRow; run: RunRow }> {
  const flag = await lockLive(tx, id)
  const run = await lockOpenRun(tx.db, rolloutName, id)
  if (!run) throw new AppError('conflict', 'No rollout of this flag is going on')
  return { flag, run }
}

export async function pauseRollout(ctx: RequestContext, id: string): Promise<FeatureFlag> {
  await inTransaction(ctx, async (tx) => {
    await lockRollout(tx, id)
    await pauseIfOpen(tx, id, `Paused by ${tx.actor.name}`)
  })
  return getFlag(ctx, id)
}

export async function resumeRollout(ctx: RequestContext, id: string): Promise<FeatureFlag> {
  await inTransaction(ctx, async (tx) => {
    const { flag, run } = await lockRollout(tx, id)
    if (!flag.paused_at) return
    // What was seen until now has been looked at.
    const since = { paused_at: null, paused_reason: null, widened_at: new Date(tx.clock()) }
    await patchFlag(tx, id, since, false)
    await wakeRun(tx, run)
    await recordAudit(tx, {
      ...{ action: 'feature_flag.resume_rollout', resource: 'feature_flag', id },
      ...{ before: { name: flag.name, reason: flag.paused_reason }, after: { name: flag.name } },
    })
  })
  return getFlag(ctx, id)
}

export async function cancelRollout(ctx: RequestContext, id: string): Promise<FeatureFlag> {
  await inTransaction(ctx, async (tx) => {
    await lockFlag(tx, id)
    const { flag, run } = await lockRollout(tx, id)
    await cancelRun(tx, run)
    await patchFlag(tx, id, { paused_at: null, paused_reason: null }, false)
    await recordAudit(tx, {
      ...{ action: 'feature_flag.cancel_rollout', resource: 'feature_flag', id },
      after: { name: flag.name },
    })
  })
  return getFlag(ctx, id)
}
