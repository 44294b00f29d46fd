import type { InvoiceAction, NewInvoice } from '@agency/contract/invoices'
import { maxInvoiceAmount } from '@agency/contract/invoices'
import { AppError, invalidParameter } from '../../platform/errors.ts'
import { moneyText } from '../../platform/money-text.ts'

type State = {
  status: string
  collection_method: string | null
  amount_remaining: number
  customer_email: string | null
  customer_deleted: boolean
}

type Refusals = Record<InvoiceAction, string | null>

const settled: Record<string, string> = {
  paid: 'Already paid',
  void: 'Already void',
  uncollectible: 'Already written off',
}

const noAddress = 'The customer has no email address'

function sendRefusal(state: State): string | null {
  const { status, collection_method, amount_remaining, customer_email, customer_deleted } = state
  const end = settled[status]
  if (end) return end
  if (collection_method !== 'send_invoice') return 'Charged automatically by Stripe, so not sent'
  if (customer_deleted) return 'The customer was deleted at Stripe'
  if (!customer_email) return noAddress
  return amount_remaining > 0 ? null : 'Nothing due'
}

function payRefusal({ status, amount_remaining, customer_deleted }: State): string | null {
  if (status === 'draft') return 'Still a draft'
  const end = settled[status]
  if (end) return end
  if (customer_deleted) return 'The customer was deleted at Stripe'
  return amount_remaining > 0 ? null : 'Nothing due'
}

/** What was written off may be paid after all. */
function markPaidRefusal({ status }: State): string | null {
  if (status === 'draft') return 'Still a draft'
  return status === 'uncollectible' ? null : (settled[status] ?? null)
}

function voidRefusal({ status }: State): string | null {
  if (status === 'draft') return 'Still a draft'
  if (status === 'paid') return 'Already paid: refund the payment instead'
  return status === 'void' ? 'Already void' : null
}

function writeOffRefusal({ status }: State): string | null {
  if (status === 'draft') return 'Still a draft'
  return status === 'open' ? null : (settled[status] ?? 'Only an open invoice can be written off')
}

/** Why each action cannot be done to an invoice; null where it can. */
export const refusalsOf = (state: State): Refusals => ({
  send: sendRefusal(state),
  pay: payRefusal(state),
  mark_paid: markPaidRefusal(state),
  void: voidRefusal(state),
  mark_uncollectible: writeOffRefusal(state),
})

/** The provider charges these in steps of ten of their smallest unit. */
const inTens = new Set(['bhd', 'jod', 'kwd', 'omr', 'tnd'])

/** Refuses amounts that the provider would, and answers what the lines add up to. */
export function totalOf({ lines, currency }: Pick<NewInvoice, 'lines' | 'currency'>): number {
  let total = 0
  for (const [index, { unit_amount, quantity }] of lines.entries()) {
    if (inTens.has(currency) && unit_amount % 10 !== 0)
      throw invalidParameter(`lines[${index}].unit_amount`, `must be a multiple of 10 in ${currency.toUpperCase()}`)
    total += unit_amount * quantity
  }
  if (total > maxInvoiceAmount)
    throw invalidParameter('lines', `must not add up to more than ${moneyText(maxInvoiceAmount, currency)}`)
  return total
}

type Recipient = { email: string | null; currency: string | null; isDeleted: boolean }

/** Why no invoice can be sent to a customer; null when nothing speaks against it. */
export function recipientRefusal({ email, isDeleted }: Recipient): string | null {
  if (isDeleted) return 'The customer was deleted at Stripe'
  return email ? null : `${noAddress}: add one first`
}

/** Answers the address that it goes to. */
export function checkRecipient(recipient: Recipient, currency: string, previewed: string | undefined): string {
  const refusal = recipientRefusal(recipient)
  if (refusal || !recipient.email) throw new AppError('conflict', `${refusal}. Nothing was sent.`)
  if (recipient.currency && recipient.currency !== currency)
    throw invalidParameter('currency', `must be ${recipient.currency}: the customer's currency at Stripe`)
  if (previewed !== undefined && previewed !== recipient.email)
    throw new AppError(
      'conflict',
      `The customer's email address is now ${recipient.email}. Nothing was sent: check and send again.`,
    )
  return recipient.email
}

/** A customer's credit is used up before anything is asked for; a debt is added. */
export const dueOf = (total: number, balance: number): number => Math.max(0, total + balance)
