import type { RestoreLine } from '@agency/contract/backups'
import type { RequestContext, TransactionContext } from '../../context.ts'
import { asideSchema, loadingSchema } from '../../db/archive/load-archive.ts'
import { recordAudit } from '../../platform/audit.ts'
import { durableRun, type Outcome, type StepWork } from '../../platform/runs/durable-run.ts'
import type { RunRow, StepRow } from '../../platform/runs/queries.ts'
import { notify } from '../notifications/index.ts'
import { finish, longestS } from './begin-backup.ts'
import { judge } from './failure.ts'
import { removeSchemas } from './leftovers.ts'
import { findBackup, insertBackup, patchBackup } from './queries/backups.ts'
import {
  findAside,
  findRestore,
  forgetAside,
  hasOpenRestore,
  patchRestore,
  type RestoreRow,
} from './queries/restores.ts'
import { load } from './steps/load.ts'
import { readBack } from './steps/read-back.ts'
import { replay } from './steps/replay.ts'
import { switchTo } from './steps/switch.ts'
import { write } from './steps/write.ts'

export const restoreRunName = 'backups.restore'
export const restoreSteps = ['safety', 'load', 'switch', 'replay'] as const
/** What is set aside needs neither: it is there, and what it replaces is set aside in its turn. */
export const returnSteps = ['switch', 'replay'] as const

async function restoreOf(ctx: Pick<RequestContext, 'db'>, run: RunRow): Promise<RestoreRow> {
  const row = await findRestore(ctx, run.subject)
  if (!row) throw new Error(`There is no restore ${run.subject}`)
  return row
}

/** What is there now is written down first, and read back. */
async function safety(ctx: RequestContext, run: RunRow, step: StepRow, work: StepWork): Promise<Outcome> {
  const restore = await restoreOf(ctx, run)
  const id = restore.safety_backup_id
  if (id === null) return { state: 'skipped', note: 'There was nothing to write down' }
  if ((await findBackup(ctx, id))?.state === 'done') return { state: 'done' }
  const written = await write(ctx, { id, tries: step.attempts }, work)
  const proof = await readBack(ctx, id, written, work)
  return { state: 'done', record: (tx) => finish(tx, id, { written, proof }) }
}

async function loadStep(ctx: RequestContext, run: RunRow, _step: StepRow, work: StepWork): Promise<Outcome> {
  const restore = await restoreOf(ctx, run)
  if (restore.switched_at) return { state: 'done' }
  const backup = await findBackup(ctx, restore.backup_id)
  await load(ctx, { id: restore.backup_id, rows: backup?.row_count ?? 0 }, work)
  return { state: 'done' }
}

async function switchStep(ctx: RequestContext, run: RunRow, _step: StepRow, work: StepWork): Promise<Outcome> {
  const restore = await restoreOf(ctx, run)
  // A process that ended right after it has done it.
  if (restore.switched_at === null)
    await switchTo(
      ctx,
      { restore, from: restore.returns_id === null ? loadingSchema : asideSchema, startedBy: run.actor_name },
      work.signal,
    )
  return { state: 'done' }
}

async function replayStep(ctx: RequestContext, run: RunRow, _step: StepRow, work: StepWork): Promise<Outcome> {
  const restore = await restoreOf(ctx, run)
  const lines = await replay(ctx, restore, work)
  const report = [...(restore.report as unknown as RestoreLine[]), ...lines]
  const after = {
    ...{ name: restore.backup_name, applied: lines.filter(({ ok }) => ok), open: lines.filter(({ ok }) => !ok) },
  }
  return {
    state: 'done',
    async record(tx) {
      const done = { state: 'done', report: JSON.stringify(report), finished_at: new Date(tx.clock()) }
      if (!(await patchRestore(tx, restore.id, ['replaying'], done))) return
      await recordAudit(tx, { action: 'backup.replay', resource: 'backup', id: restore.backup_id, after })
    },
  }
}

async function failed(tx: TransactionContext, run: RunRow, step: StepRow, reason: string): Promise<void> {
  const restore = await findRestore(tx, run.subject)
  if (!restore) return
  const end = { reason, finished_at: new Date(tx.clock()) }
  await patchRestore(tx, restore.id, ['open', 'replaying'], { state: 'failed', ...end })
  if (restore.safety_backup_id !== null) await patchBackup(tx, restore.safety_backup_id, { state: 'failed', ...end })
  const isInPlace = step.name === 'replay'
  await recordAudit(tx, {
    ...{ action: 'backup.restore', resource: 'backup', id: restore.backup_id, outcome: 'failed' },
    after: { name: restore.backup_name, reason, step: step.name },
  })
  await notify(tx, {
    ...{ dedupeKey: `restore.failed:${restore.id}`, type: 'backup.failed', severity: 'error' },
    ...{ permission: 'admin.system', link: '/admin/tools/backup' },
    title: `Restore failed: ${restore.backup_name}`,
    body: isInPlace
      ? `${reason}. The backup was restored, but changes since were not replayed.`
      : `${reason}. Nothing was replaced.`,
  })
}

/** What a restore that was given up has loaded, and what was set aside long enough. */
async function removeLeftovers(ctx: RequestContext): Promise<void> {
  const aside = await findAside(ctx)
  const isOver = aside?.aside_until != null && aside.aside_until.getTime() <= ctx.clock()
  await removeSchemas(ctx, { loading: !(await hasOpenRestore(ctx)), aside: isOver })
  if (isOver) await forgetAside(ctx)
}

/** Begun with the restore, so that it is listed from then on. */
export async function insertSafetyBackup(tx: TransactionContext, id: string, name: string): Promise<void> {
  const { type, id: makerId, name: makerName } = tx.actor
  await insertBackup(tx, {
    ...{ id, name, type: 'full', cause: 'before_restore', state: 'open', created_at: new Date(tx.clock()) },
    ...{ maker_type: type, maker_id: makerId, maker_name: makerName },
  })
}

export const restoreRun = durableRun({
  name: restoreRunName,
  steps: { safety, load: loadStep, switch: switchStep, replay: replayStep },
  topics: ['backups'],
  judge,
  mostTries: 5,
  longestS,
  takeIn: removeLeftovers,
  failed,
})
