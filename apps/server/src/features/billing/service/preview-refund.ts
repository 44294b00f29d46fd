import type { previewRefund as contract } from '@agency/contract/billing-changes'
import type { ResponseOf } from '@agency/contract/endpoint'
import type { RequestContext } from '../../../context.ts'
import { AppError } from '../../../platform/errors.ts'
import { findPaymentTarget } from '../queries/money-targets.ts'
import { foreseeAmount, reachOfRefund } from '../reach/foresee-refund.ts'

/** Without an amount, of all that is left. */
export async function previewRefund(
  ctx: RequestContext,
  id: string,
  asked: number | undefined,
): Promise<ResponseOf<typeof contract>> {
  const payment = await findPaymentTarget(ctx.db, id)
  try {
    const { amount } = await foreseeAmount(ctx, id, payment, asked)
    return { reach: await reachOfRefund(ctx, id, amount) }
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'conflict')) throw error
    return { reach: { ...(await reachOfRefund(ctx, id, null)), refusal: error.message } }
  }
}
