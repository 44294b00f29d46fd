import { ApiError } from '../../http/errors.ts'
import type { World } from '../../world/world.ts'
import { declineOf } from '../rules/declines.ts'
import { openPaymentOf } from '../rules/invoices.ts'

/** Why the last try to pay an invoice failed. */
export async function declined(world: World, invoiceId: string, of: 'invoice' | 'subscription'): Promise<ApiError> {
  const intentId = (await openPaymentOf(world, invoiceId))?.payment.payment_intent
  const intent = intentId ? await world.get('payment_intent', intentId) : undefined
  if (intent?.status === 'requires_action')
    return new ApiError(
      402,
      {
        type: 'card_error',
        code: `${of}_payment_intent_requires_action`,
        message: 'This payment requires additional user action before it can be completed successfully.',
        payment_intent: intent,
      },
      { kept: true },
    )
  const error = intent?.last_payment_error
  const decline = declineOf(error?.decline_code ?? 'generic_decline')
  return new ApiError(
    402,
    {
      type: 'card_error',
      code: error?.code ?? decline.code,
      decline_code: decline.declineCode,
      message: error?.message ?? decline.message,
      ...(error?.charge ? { charge: error.charge } : {}),
      ...(intent ? { payment_intent: intent } : {}),
    },
    { kept: true },
  )
}
