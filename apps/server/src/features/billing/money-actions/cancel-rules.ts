import { type Fields, flag, text } from '../../../integrations/stripe/fields.ts'
import { AppError } from '../../../platform/errors.ts'
import type { CancelPayload } from './action.ts'

export type CancellableSubscription = { stripe_status: string; cancel_at_period_end: boolean }

const ended = ['canceled', 'incomplete_expired']

/** Whether what was asked for is so already. What has ended need not end once more. */
export function isAchieved(
  { stripe_status, cancel_at_period_end }: CancellableSubscription,
  { at }: CancelPayload,
): boolean {
  return ended.includes(stripe_status) || (at === 'period_end' && cancel_at_period_end)
}

/** The same of the provider's own object. */
export const isAchievedAt = (subscription: Fields, payload: CancelPayload): boolean =>
  isAchieved(
    {
      stripe_status: text(subscription['status']) ?? '',
      cancel_at_period_end: flag(subscription['cancel_at_period_end']),
    },
    payload,
  )

/** Throws the reason why the provider would refuse. */
export function checkCancellable({ stripe_status }: CancellableSubscription, { at }: CancelPayload): void {
  if (at === 'period_end' && stripe_status === 'incomplete')
    throw new AppError(
      'conflict',
      'The first payment of this subscription is still missing, so it has no period to run to the end: it can only be cancelled now',
    )
}
