import { randomUUID } from 'node:crypto'
import { inTransaction, type RequestContext, type TransactionContext } from '../../context.ts'
import { recordAudit } from '../../platform/audit.ts'
import { beginRun } from '../../platform/runs/change.ts'
import { durableRun, type Outcome, type StepWork } from '../../platform/runs/durable-run.ts'
import type { RunRow, StepRow } from '../../platform/runs/queries.ts'
import { notify } from '../notifications/index.ts'
import { longestS } from './begin-backup.ts'
import { judge } from './failure.ts'
import { filePath, isThere } from './files.ts'
import { type BackupRow, findBackup } from './queries/backups.ts'
import {
  type DrillRow,
  findDrill,
  findNewestDone,
  findNewestDrill,
  findOpenDrill,
  insertDrill,
  patchDrill,
} from './queries/drills.ts'
import { drill } from './steps/drill.ts'

const drillRunName = 'backups.drill'
const weekMs = 7 * 86_400_000

/** Writes down that a backup is to be proven, unless one is being proven now. */
export async function beginDrill(tx: TransactionContext, backup: BackupRow): Promise<DrillRow | null> {
  if ((await findOpenDrill(tx)) || !backup.snapshot_at) return null
  const id = `drl_${randomUUID().replaceAll('-', '')}`
  const { id: backup_id, name: backup_name, snapshot_at } = backup
  await insertDrill(tx, { id, backup_id, backup_name, snapshot_at, state: 'open', created_at: new Date(tx.clock()) })
  await recordAudit(tx, {
    action: 'backup.drill',
    resource: 'backup',
    id: backup_id,
    after: { name: backup_name, state: 'requested' },
  })
  await beginRun(tx, {
    ...{ id, name: drillRunName, kind: 'drill', subject: id, topic: 'backups', options: {}, longestS },
    steps: [{ name: 'drill', target: null, payload: {} }],
  })
  return (await findDrill(tx, id)) ?? null
}

/** Once a week the newest backup, if it was not proven yet. */
async function beginWeekly(ctx: RequestContext): Promise<void> {
  const [newest, last] = [await findNewestDone(ctx), await findNewestDrill(ctx)]
  if (!newest || (last && ctx.clock() - last.created_at.getTime() < weekMs)) return
  if (!(await isThere(filePath(ctx, newest.id)))) return
  await inTransaction(ctx, (tx) => beginDrill(tx, newest))
}

async function drillStep(ctx: RequestContext, run: RunRow, _step: StepRow, work: StepWork): Promise<Outcome> {
  const row = await findDrill(ctx, run.subject)
  if (!row) return { state: 'skipped', note: 'The drill was deleted' }
  const backup = await findBackup(ctx, row.backup_id)
  const report = await drill(ctx, { id: row.backup_id, rows: backup?.row_count ?? 0 }, work)
  return {
    state: 'done',
    async record(tx) {
      await patchDrill(tx, row.id, { state: 'done', report: JSON.stringify(report), finished_at: new Date(tx.clock()) })
      await recordAudit(tx, {
        ...{ action: 'backup.drill', resource: 'backup', id: row.backup_id },
        after: { name: row.backup_name, state: 'done', ...report },
      })
    },
  }
}

async function failed(tx: TransactionContext, run: RunRow, reason: string): Promise<void> {
  const row = await findDrill(tx, run.subject)
  if (!row) return
  await patchDrill(tx, row.id, { state: 'failed', reason, finished_at: new Date(tx.clock()) })
  await recordAudit(tx, {
    ...{ action: 'backup.drill', resource: 'backup', id: row.backup_id, outcome: 'failed' },
    after: { name: row.backup_name, state: 'failed', reason },
  })
  await notify(tx, {
    ...{ dedupeKey: `drill.failed:${row.id}`, type: 'backup.failed', severity: 'error' },
    ...{ permission: 'admin.system', link: '/admin/tools/backup' },
    ...{
      title: `Restore drill failed: ${row.backup_name}`,
      body: `${reason}. Create a new backup and check this one.`,
    },
  })
}

export const drillRun = durableRun({
  name: drillRunName,
  steps: { drill: drillStep },
  topics: ['backups'],
  judge,
  mostTries: 2,
  longestS,
  takeIn: beginWeekly,
  failed: (tx, run, _step, reason) => failed(tx, run, reason),
})
