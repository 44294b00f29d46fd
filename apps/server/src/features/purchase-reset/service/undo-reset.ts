import { randomUUID } from 'node:crypto'
import type { ResponseOf } from '@agency/contract/endpoint'
import type { undoPurchaseReset } from '@agency/contract/purchase-reset'
import type { RequestContext, TransactionContext } from '../../../context.ts'
import { recordAudit } from '../../../platform/audit.ts'
import { AppError, notFound } from '../../../platform/errors.ts'
import type { Claim } from '../../../platform/idempotency-keys.ts'
import { findReset, insertReset, lockHold, type ResetRecord, releasePurchase } from '../queries/resets.ts'
import { resetOnce } from '../request.ts'
import { undoRefusalOf } from '../reset-rules.ts'
import { getReset } from './reset-one.ts'

export function undoReset(
  ctx: RequestContext,
  resetId: string,
  reason: string | undefined,
  claim: Claim | null,
): Promise<ResponseOf<typeof undoPurchaseReset>> {
  return resetOnce(ctx, claim, async (tx, requestId) => {
    const reset = await lockUndoable(tx, resetId)
    const id = randomUUID()
    await insertReset(tx.db, {
      id,
      kind: 'undo',
      reset_id: resetId,
      purchase_id: reset.purchase_id,
      site_id: reset.site_id,
      site_name: reset.site_name,
      reason: reason || 'No reason provided',
      original: JSON.stringify(reset.original),
      actor_type: tx.actor.type,
      actor_id: tx.actor.id,
      actor_name: tx.actor.name,
      at: new Date(tx.clock()),
      request_id: requestId,
    })
    await releasePurchase(tx.db, resetId)
    await recordAudit(tx, {
      action: 'purchase.reset_undo',
      resource: 'purchase',
      id: reset.purchase_id,
      before: { state: 'reset', reset_id: resetId },
      after: {
        ...{ state: 'purchased', name: reset.site_name, site_id: reset.site_id },
        ...{ reason: reason || 'No reason provided', reset_id: id },
      },
    })
    return { success: true, undo: await getReset(tx, id) }
  })
}

async function lockUndoable(tx: TransactionContext, resetId: string): Promise<ResetRecord> {
  await lockHold(tx.db, resetId)
  const reset = await findReset(tx.db, resetId)
  if (!reset) throw notFound(`Reset ${resetId}`)
  const refusal = undoRefusalOf(reset, tx.clock())
  if (refusal !== null) throw new AppError('conflict', refusal)
  return reset
}
