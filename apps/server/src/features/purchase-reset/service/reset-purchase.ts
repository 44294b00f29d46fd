import type { ResponseOf } from '@agency/contract/endpoint'
import type { resetPurchase as endpoint } from '@agency/contract/purchase-reset'
import type { RequestContext } from '../../../context.ts'
import { answerOnce, resetRequest } from '../request.ts'
import { resetOne } from './reset-one.ts'

export function resetPurchase(
  ctx: RequestContext,
  purchaseId: string,
  reason: string | undefined,
  key: string | null,
): Promise<ResponseOf<typeof endpoint>> {
  const request = resetRequest(['reset', purchaseId, reason ?? ''], key)
  return answerOnce(ctx, request, async (tx) => ({
    success: true,
    reset: await resetOne(tx, request, purchaseId, reason || 'No reason provided'),
  }))
}
