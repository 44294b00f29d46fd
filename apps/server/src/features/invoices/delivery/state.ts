import type { InvoiceAction } from '@agency/contract/invoices'
import { currencyOf, neededAmount, text } from '../../../integrations/stripe/fields.ts'
import type { ProviderObject } from '../../../integrations/stripe/gateway.ts'
import { moneyText } from '../../../platform/money-text.ts'
import { refusalsOf } from '../rules.ts'

const stateOf = (invoice: ProviderObject) => ({
  status: text(invoice['status']) ?? 'unknown',
  collection_method: text(invoice['collection_method']),
  amount_remaining: neededAmount(invoice, 'amount_remaining'),
  customer_email: text(invoice['customer_email']),
  customer_deleted: false,
})

/** What a person confirmed, when the invoice is another now. */
export const changedText = (amount: number, currency: string): string =>
  `The invoice is now ${moneyText(amount, currency)}: check again`

/** Why it is not done to the invoice as it is now at the provider, although the console's copy allowed it. */
export function changeOf(invoice: ProviderObject, act: InvoiceAction, shown: number): string | null {
  const state = stateOf(invoice)
  const refusal = refusalsOf(state)[act]
  if (refusal) return refusal
  return state.amount_remaining === shown ? null : changedText(state.amount_remaining, currencyOf(invoice))
}
