import { inTransaction, type RequestContext } from '../../context.ts'
import { recordAudit } from '../../platform/audit.ts'
import { dayAt, momentOf } from '../report-schedules/index.ts'
import { beginBackup } from './begin-backup.ts'
import { findOpenBackup, removeBackup } from './queries/backups.ts'
import { findPlan, findSurplus, lockPlan, type PlanRow, patchPlan } from './queries/plan.ts'
import { hasOpenRestore } from './queries/restores.ts'
import { newBackupId } from './service/create-backup.ts'
import { removeEverywhere } from './store.ts'

const dayMs = 86_400_000

type Rhythm = Pick<PlanRow, 'cadence' | 'weekday' | 'hour' | 'time_zone'>

/** The first date after a moment; null: backups are made by hand only. */
export function nextBackupAt({ cadence, weekday, hour, time_zone }: Rhythm, after: number): Date | null {
  if (cadence === 'off') return null
  for (let days = 0; days <= 8; days++) {
    const day = dayAt(after + days * dayMs, time_zone)
    const isDay = cadence === 'daily' || new Date(`${day}T00:00:00Z`).getUTCDay() === weekday
    const at = momentOf(day, hour, time_zone)
    if (isDay && at > after) return new Date(at)
  }
  throw new Error('A week has no such day')
}

/** Begins what is due, once, however many processes look; what was missed while the console was down is made once. */
export async function beginDue(ctx: RequestContext): Promise<void> {
  const { next_at } = await findPlan(ctx)
  if (next_at === null || next_at.getTime() > ctx.clock() || (await hasOpenRestore(ctx))) return
  await inTransaction(ctx, async (tx) => {
    const plan = await lockPlan(tx)
    if (plan.next_at === null || plan.next_at.getTime() > tx.clock()) return
    // One that is being made is waited for: it is due until it was begun.
    if (await findOpenBackup(tx)) return
    await patchPlan(tx, { next_at: nextBackupAt(plan, tx.clock()) })
    const name = `Scheduled ${dayAt(tx.clock(), plan.time_zone)}`
    await beginBackup(tx, { id: newBackupId(), name, type: 'full', cause: 'schedule' })
  })
}

/** Takes away what is more than shall be kept. What was made by hand is for hands to take away. */
export async function expireSurplus(ctx: RequestContext): Promise<void> {
  const { keep } = await findPlan(ctx)
  for (const { id, name } of await findSurplus(ctx, keep)) {
    await inTransaction(ctx, async (tx) => {
      await removeBackup(tx, id)
      await recordAudit(tx, { action: 'backup.expire', resource: 'backup', id, before: { name, keep } })
    })
    await removeEverywhere(ctx, id)
  }
}
