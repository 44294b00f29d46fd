import type { ResponseOf } from '@agency/contract/endpoint'
import type { resetPurchase as endpoint } from '@agency/contract/purchase-reset'
import type { RequestContext } from '../../../context.ts'
import type { Claim } from '../../../platform/idempotency-keys.ts'
import { resetOnce } from '../request.ts'
import { resetOne } from './reset-one.ts'

export function resetPurchase(
  ctx: RequestContext,
  purchaseId: string,
  reason: string | undefined,
  claim: Claim | null,
): Promise<ResponseOf<typeof endpoint>> {
  return resetOnce(ctx, claim, async (tx, requestId) => ({
    success: true,
    reset: await resetOne(tx, requestId, purchaseId, reason || 'No reason provided'),
  }))
}
