import type { BackupDrill, BackupPlan } from '@agency/contract/backups'
import { inTransaction, type RequestContext } from '../../../context.ts'
import { recordAudit } from '../../../platform/audit.ts'
import { AppError } from '../../../platform/errors.ts'
import { nextBackupAt } from '../plan.ts'
import { findShownDrills, findStanding } from '../queries/drills.ts'
import { findKeys } from '../queries/keys.ts'
import { findPlan, lockPlan, type PlanRow, patchPlan } from '../queries/plan.ts'

const toPlan = ({ cadence, weekday, hour, time_zone, keep, next_at, version }: PlanRow): BackupPlan => ({
  ...{ cadence: cadence as BackupPlan['cadence'], weekday, hour, time_zone, keep, version },
  next_at: next_at?.toISOString() ?? null,
})

export async function getPlan(ctx: RequestContext) {
  const [plan, keys, drills, { provenAt }] = [
    await findPlan(ctx),
    await findKeys(ctx),
    await findShownDrills(ctx),
    await findStanding(ctx),
  ]
  return {
    plan: toPlan(plan),
    kit_printed_at: keys[0]?.printed_at?.toISOString() ?? null,
    drills: drills as BackupDrill[],
    proven_at: provenAt?.toISOString() ?? null,
  }
}

type Wanted = Pick<BackupPlan, 'cadence' | 'weekday' | 'hour' | 'keep' | 'version'>

export function savePlan(ctx: RequestContext, wanted: Wanted): Promise<BackupPlan> {
  return inTransaction(ctx, async (tx) => {
    const before = await lockPlan(tx)
    if (before.version !== wanted.version)
      throw new AppError('conflict', 'Someone else changed the schedule. Nothing was saved.')
    const time_zone = tx.config.settings.timeZone ?? 'UTC'
    const { cadence, weekday, hour, keep } = wanted
    const rhythm = { cadence, weekday, hour, time_zone }
    await patchPlan(tx, { ...rhythm, keep, next_at: nextBackupAt(rhythm, tx.clock()), version: before.version + 1 })
    await recordAudit(tx, {
      ...{ action: 'backup_plan.update', resource: 'backup_plan', id: null },
      before: { cadence: before.cadence, weekday: before.weekday, hour: before.hour, keep: before.keep },
      after: { cadence, weekday, hour, keep },
    })
    return toPlan(await findPlan(tx))
  })
}
