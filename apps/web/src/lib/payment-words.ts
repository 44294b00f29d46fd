import type { Payment } from '@agency/contract/types'

/** What a payment was for, as an administrator would say it. */
export const purposeOf = ({ purpose, description }: Pick<Payment, 'purpose' | 'description'>): string | null =>
  purpose ?? description

const told: Record<string, string> = {
  'Your card was declined.': "The customer's card was declined by the bank",
}

/** Stripe writes its refusals to the customer: here an administrator reads them. */
export const declineText = (message: string): string => told[message] ?? message.replace(/^Your /, "The customer's ")

export function failureOf(payment: Pick<Payment, 'failure_message' | 'failure_code'>): string | null {
  const { failure_message: message, failure_code: code } = payment
  return message ? declineText(message) : (code?.replaceAll('_', ' ') ?? null)
}
