import type { Backup } from '@agency/contract/backups'
import { inTransaction, type RequestContext, type TransactionContext } from '../../../context.ts'
import { recordAudit } from '../../../platform/audit.ts'
import { AppError, notFound } from '../../../platform/errors.ts'
import { cancelRun } from '../../../platform/runs/change.ts'
import { isOpen, lockRun } from '../../../platform/runs/queries.ts'
import { type BackupRow, lockBackup, patchBackup, removeBackup } from '../queries/backups.ts'
import { findChain } from '../queries/chain.ts'
import { removeEverywhere } from '../store.ts'
import { getBackup } from './shown.ts'

/** Its process hears of it within a moment, and what it wrote goes. */
export async function cancelBackup(ctx: RequestContext, id: string): Promise<Backup> {
  await inTransaction(ctx, async (tx) => {
    // In the order in which a step that ends locks them.
    const run = await lockRun(tx.db, id)
    const row = await lockBackup(tx, id)
    if (!row) throw notFound(`Backup ${id}`)
    if (row.state === 'cancelled') return
    if (row.state !== 'open') throw new AppError('conflict', `The backup is ${row.state} and cannot be cancelled`)
    if (run && isOpen(run)) await cancelRun(tx, run)
    await patchBackup(tx, id, { state: 'cancelled', finished_at: new Date(tx.clock()) })
    const { name, type } = row
    await recordAudit(tx, { action: 'backup.cancel', resource: 'backup', id, after: { name, type } })
  })
  return getBackup(ctx, id)
}

async function isNeeded(tx: TransactionContext, { id, type, state }: BackupRow): Promise<boolean> {
  if (type !== 'incremental' || state !== 'done') return false
  return (await findChain(tx, id)).at(-1)?.id !== id
}

export async function deleteBackup(ctx: RequestContext, id: string): Promise<{ success: true }> {
  await inTransaction(ctx, async (tx) => {
    const row = await lockBackup(tx, id)
    if (!row) throw notFound(`Backup ${id}`)
    if (row.state === 'open') throw new AppError('conflict', 'The backup is running. Cancel it first.')
    if (await isNeeded(tx, row))
      throw new AppError(
        'conflict',
        'Later incremental backups need this one. Delete those first, starting with the newest.',
      )
    await removeBackup(tx, id)
    const { name, type, state, bytes, sha256 } = row
    const before = { name, type, state, bytes, sha256, snapshot_at: row.snapshot_at?.toISOString() ?? null }
    await recordAudit(tx, { action: 'backup.delete', resource: 'backup', id, before })
  })
  await removeEverywhere(ctx, id)
  return { success: true }
}
