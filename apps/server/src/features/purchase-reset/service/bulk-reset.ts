import type { BodyOf, ResponseOf } from '@agency/contract/endpoint'
import type { bulkResetPurchases } from '@agency/contract/purchase-reset'
import type { PurchaseReset, RefusedSite } from '@agency/contract/types'
import { inTransaction, type RequestContext } from '../../../context.ts'
import { AppError } from '../../../platform/errors.ts'
import { siteNameOf } from '../../purchases/index.ts'
import { findSites } from '../queries/sites.ts'
import { answerOnce, type ResetRequest, resetRequest, takeUp } from '../request.ts'
import { resetOne } from './reset-one.ts'

type Answer = ResponseOf<typeof bulkResetPurchases>
type Outcome = { reset: PurchaseReset } | { refused: string }

/**
 * Resets one site after the other, each in a transaction of its own: what is done stays done, and a repeat after a
 * crash goes on with the rest.
 */
export async function bulkReset(
  ctx: RequestContext,
  { purchaseIds, reason }: BodyOf<typeof bulkResetPurchases>,
  key: string | null,
): Promise<Answer> {
  const request = resetRequest(['bulk', purchaseIds, reason ?? ''], key)
  const names = new Map((await findSites(ctx.db, purchaseIds)).map((site) => [site.id, siteNameOf(site)]))
  const resets: PurchaseReset[] = []
  const refused: RefusedSite[] = []
  for (const purchaseId of purchaseIds) {
    const outcome = await tryReset(ctx, request, purchaseId, reason || 'Bulk reset - no reason provided')
    if (outcome === 'answered') break
    if ('reset' in outcome) resets.push(outcome.reset)
    else refused.push({ purchaseId, siteName: names.get(purchaseId) ?? null, reason: outcome.refused })
  }
  return answerOnce(ctx, request, async () => ({ success: resets.length > 0, resets, refused }))
}

/** `answered`: the same request was answered before, or meanwhile. */
async function tryReset(
  ctx: RequestContext,
  request: ResetRequest,
  purchaseId: string,
  reason: string,
): Promise<Outcome | 'answered'> {
  try {
    return await inTransaction(ctx, async (tx) => {
      if ((await takeUp(tx, request)) !== null) return 'answered'
      return { reset: await resetOne(tx, request, purchaseId, reason) }
    })
  } catch (error) {
    if (error instanceof AppError && (error.code === 'conflict' || error.code === 'not_found'))
      return { refused: error.code === 'not_found' ? 'There is no such purchase.' : error.message }
    throw error
  }
}
