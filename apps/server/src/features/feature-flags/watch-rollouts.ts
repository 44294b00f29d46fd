import { inTransaction, type RequestContext } from '../../context.ts'
import { recordAudit } from '../../platform/audit.ts'
import { notify } from '../notifications/index.ts'
import { signalsOf, trippedBy } from './guard.ts'
import { type FlagRow, findFlags, lockFlag, patchFlag } from './queries/flags.ts'
import { findLastRollouts } from './queries/rollouts.ts'
import { linkOf } from './rollout-run.ts'
import { saveSettings } from './service/change-flags.ts'
import { isOpenRollout } from './to-flag.ts'

/** Pauses each rollout whose guard does not take what it sees, as soon as it sees it. */
export async function watchRollouts(ctx: RequestContext, signal: AbortSignal): Promise<void> {
  const open = new Map((await findLastRollouts(ctx)).filter(isOpenRollout).map((row) => [row.flag_id, row.id]))
  if (open.size === 0) return
  for (const flag of await findFlags(ctx)) {
    const rollout = open.get(flag.id)
    if (signal.aborted) return
    if (rollout === undefined || !flag.guard || !flag.enabled || flag.paused_at || !flag.widened_at) continue
    const reason = trippedBy(flag.guard, await signalsOf(ctx, flag))
    if (reason !== null) await pause(ctx, flag, rollout, reason)
  }
}

async function pause(ctx: RequestContext, seen: FlagRow, rollout: string, reason: string): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const flag = await lockFlag(tx, seen.id)
    // Changed since it was looked at: the next look judges it as it is now.
    if (!flag || flag.version !== seen.version || flag.paused_at) return
    const switchesOff = flag.guard?.switches_off ?? false
    const at = new Date(tx.clock())
    await patchFlag(tx, flag.id, { paused_at: at, paused_reason: reason }, false)
    await recordAudit(tx, {
      ...{ action: 'feature_flag.pause_rollout', resource: 'feature_flag', id: flag.id },
      after: { name: flag.name, reason: `Guard: ${reason}` },
    })
    if (switchesOff)
      await saveSettings(tx, {
        ...{ action: 'feature_flag.update', before: { ...flag, paused_at: at }, patch: { enabled: false } },
        reason: `Guard: ${reason}`,
      })
    await notify(tx, {
      ...{ dedupeKey: `flag.paused:${rollout}:${at.getTime()}`, type: 'flag.paused', severity: 'warning' },
      permission: 'admin.system',
      title: switchesOff ? `${flag.name} was switched off by its guard` : `The rollout of ${flag.name} is paused`,
      ...{ body: `${reason}. Check the flag, then resume or cancel the rollout.`, link: linkOf(flag) },
    })
  })
}
