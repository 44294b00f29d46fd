import { randomUUID } from 'node:crypto'
import type { PurchaseReset } from '@agency/contract/types'
import type { TransactionContext } from '../../../context.ts'
import { recordAudit } from '../../../platform/audit.ts'
import { AppError, notFound } from '../../../platform/errors.ts'
import { siteNameOf } from '../../purchases/index.ts'
import { findReset, findResetBy, holdPurchase, insertReset } from '../queries/resets.ts'
import { findSites } from '../queries/sites.ts'
import { toReset } from '../reset.ts'
import { alreadyReset, refusalOf } from '../reset-rules.ts'
import { purchaseDataOf } from '../site.ts'

/** Appends a reset of one purchase. What this request has reset before is answered again. */
export async function resetOne(
  tx: TransactionContext,
  requestId: string,
  purchaseId: string,
  reason: string,
): Promise<PurchaseReset> {
  const earlier = await findResetBy(tx.db, requestId, purchaseId)
  if (earlier) return toReset(earlier, tx.clock())
  const [site] = await findSites(tx.db, [purchaseId])
  if (!site) throw notFound(`Purchase ${purchaseId}`)
  const refusal = refusalOf(site)
  if (refusal !== null) throw new AppError('conflict', refusal)
  const id = randomUUID()
  await insertReset(tx.db, {
    id,
    kind: 'reset',
    purchase_id: purchaseId,
    site_id: site.site_id,
    site_name: siteNameOf(site),
    reason,
    original: JSON.stringify(purchaseDataOf(site)),
    actor_type: tx.actor.type,
    actor_id: tx.actor.id,
    actor_name: tx.actor.name,
    at: new Date(tx.clock()),
    request_id: requestId,
  })
  if (!(await holdPurchase(tx.db, purchaseId, id))) {
    const [other] = await findSites(tx.db, [purchaseId])
    throw new AppError('conflict', alreadyReset(other ?? site))
  }
  await recordAudit(tx, {
    action: 'purchase.reset',
    resource: 'purchase',
    id: purchaseId,
    before: { state: 'purchased' },
    after: { state: 'reset', name: siteNameOf(site), site_id: site.site_id, reason, reset_id: id },
  })
  return getReset(tx, id)
}

export async function getReset(tx: TransactionContext, id: string): Promise<PurchaseReset> {
  const record = await findReset(tx.db, id)
  if (!record) throw notFound(`Reset ${id}`)
  return toReset(record, tx.clock())
}
