import { randomUUID } from 'node:crypto'
import type { Restore } from '@agency/contract/backups'
import { inTransaction, type RequestContext, type TransactionContext } from '../../../context.ts'
import { recordAudit } from '../../../platform/audit.ts'
import { AppError, invalidParameter, notFound } from '../../../platform/errors.ts'
import { bindKey, type Claim } from '../../../platform/idempotency-keys.ts'
import { beginRun, cancelRun } from '../../../platform/runs/change.ts'
import { isOpen, lockRun } from '../../../platform/runs/queries.ts'
import { confirmIdentity } from '../../auth/index.ts'
import { longestS } from '../begin-backup.ts'
import { filePath, isThere } from '../files.ts'
import { findBackup, findOpenBackup, patchBackup } from '../queries/backups.ts'
import {
  findOpenRestore,
  findRestore,
  findShownRestores,
  insertRestore,
  lockRestore,
  patchRestore,
  type RestoreRow,
} from '../queries/restores.ts'
import { insertSafetyBackup, restoreRunName, restoreSteps, returnSteps } from '../restore-run.ts'
import { newBackupId } from './create-backup.ts'

export const newRestoreId = (): string => `rst_${randomUUID().replaceAll('-', '')}`

export const listRestores = async (ctx: RequestContext): Promise<{ restores: Restore[] }> => ({
  restores: (await findShownRestores(ctx)) as Restore[],
})

export async function getRestore(ctx: RequestContext, id: string): Promise<Restore> {
  const [shown] = await findShownRestores(ctx, id)
  if (!shown) throw notFound(`Restore ${id}`)
  return shown as Restore
}

type NewRestore = Pick<
  RestoreRow,
  'id' | 'backup_id' | 'backup_name' | 'snapshot_at' | 'returns_id' | 'safety_backup_id'
>

async function begin(tx: TransactionContext, row: NewRestore, steps: readonly string[]): Promise<void> {
  const open = await findOpenRestore(tx)
  if (open)
    throw new AppError('conflict', `The backup ${open.backup_name} is being restored. Wait until the restore is done.`)
  const busy = await findOpenBackup(tx)
  if (busy)
    throw new AppError('conflict', `The backup ${busy.name} is running. Wait until it is done, or cancel it first.`)
  if (row.safety_backup_id !== null)
    await insertSafetyBackup(tx, row.safety_backup_id, `Before restoring ${row.backup_name}`.slice(0, 120))
  const { type, id, name } = tx.actor
  await insertRestore(tx, {
    ...{ ...row, state: 'open', created_at: new Date(tx.clock()) },
    ...{ maker_type: type, maker_id: id, maker_name: name },
  })
  await recordAudit(tx, {
    action: row.returns_id === null ? 'backup.restore' : 'backup.return',
    ...{ resource: 'backup', id: row.backup_id },
    after: { name: row.backup_name, state: 'requested', snapshot_at: row.snapshot_at.toISOString() },
  })
  await beginRun(tx, {
    ...{ id: row.id, name: restoreRunName, kind: row.returns_id === null ? 'restore' : 'return', subject: row.id },
    ...{ topic: 'backups', options: {}, longestS },
    steps: steps.map((step) => ({ name: step, target: null, payload: {} })),
  })
}

type Order = { confirmation: string; identity_proof: string }

/** Begins a restore: a backup of what is there, then the other one in its place. */
export async function restoreBackup(
  ctx: RequestContext,
  backupId: string,
  { confirmation, identity_proof }: Order,
  claim: Claim | null,
): Promise<Restore> {
  const backup = await findBackup(ctx, backupId)
  if (!backup) throw notFound(`Backup ${backupId}`)
  if (backup.state !== 'done' || !backup.snapshot_at)
    throw new AppError('conflict', 'Only a finished backup can be restored')
  if (backup.type === 'incremental')
    throw new AppError(
      'conflict',
      'Create a full backup of a point in time from this one first, then restore the full backup',
    )
  if (backup.stored_at === null && !(await isThere(filePath(ctx, backupId))))
    throw new AppError('conflict', 'The file of this backup is not on this server')
  if (confirmation.trim() !== backup.name)
    throw invalidParameter('confirmation', 'must be the name of the backup, as it is written')
  await confirmIdentity(ctx, identity_proof)
  const id = newRestoreId()
  const { name, snapshot_at } = backup
  await inTransaction(ctx, async (tx) => {
    await bindKey(tx, claim, id)
    await begin(
      tx,
      {
        ...{ id, backup_id: backupId, backup_name: name, snapshot_at, returns_id: null },
        safety_backup_id: newBackupId(),
      },
      restoreSteps,
    )
  })
  return getRestore(ctx, id)
}

/** Begins the way back to what a restore had replaced. */
export async function returnRestore(
  ctx: RequestContext,
  restoreId: string,
  proof: string,
  claim: Claim | null,
): Promise<Restore> {
  const earlier = await findRestore(ctx, restoreId)
  if (!earlier) throw notFound(`Restore ${restoreId}`)
  if (earlier.aside_until === null || earlier.switched_at === null)
    throw new AppError(
      'conflict',
      'The data from before this restore was deleted after 7 days. Restore the backup made before it instead.',
    )
  await confirmIdentity(ctx, proof)
  const id = newRestoreId()
  const { backup_id, backup_name, switched_at } = earlier
  await inTransaction(ctx, async (tx) => {
    await bindKey(tx, claim, id)
    await begin(
      tx,
      { id, backup_id, backup_name, snapshot_at: switched_at, returns_id: restoreId, safety_backup_id: null },
      returnSteps,
    )
  })
  return getRestore(ctx, id)
}

/** Possible as long as nothing was replaced. */
export async function cancelRestore(ctx: RequestContext, id: string): Promise<Restore> {
  await inTransaction(ctx, async (tx) => {
    const run = await lockRun(tx.db, id)
    const row = await lockRestore(tx, id)
    if (!row) throw notFound(`Restore ${id}`)
    if (row.state === 'cancelled') return
    if (row.state !== 'open') throw new AppError('conflict', 'The data was already replaced. Undo the restore instead.')
    if (run && isOpen(run)) await cancelRun(tx, run)
    const finished_at = new Date(tx.clock())
    await patchRestore(tx, id, ['open'], { state: 'cancelled', finished_at })
    if (row.safety_backup_id !== null) await patchBackup(tx, row.safety_backup_id, { state: 'cancelled', finished_at })
    await recordAudit(tx, {
      ...{ action: 'backup.cancel_restore', resource: 'backup', id: row.backup_id },
      after: { name: row.backup_name },
    })
  })
  return getRestore(ctx, id)
}
