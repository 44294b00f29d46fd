import type {
  InvoiceAction,
  InvoiceDetails,
  InvoicePreview,
  ListedInvoice,
  PaymentMethod,
} from '@agency/contract/types'
import type { ReactNode } from 'react'
import { brandName, expiryState } from '../../lib/cards.ts'
import { formatMoney } from '../../lib/format.ts'
import { formatDate } from '../../lib/format-time.ts'
import { customerNameOf } from '../../lib/names.ts'
import { subscriptionStatusChips } from '../../lib/subscription-status.ts'
import type { Tone } from '../../theme/palette.ts'

// The provider may add states at any time: an unknown word is shown as it came.
const chips: Record<string, { label: string; tone: Tone }> = {
  draft: { label: 'Draft', tone: 'neutral' },
  open: { label: 'Open', tone: 'warning' },
  paid: { label: 'Paid', tone: 'success' },
  uncollectible: { label: 'Uncollectible', tone: 'error' },
  void: { label: 'Void', tone: 'neutral' },
}

export const invoiceChip = (status: string) => chips[status] ?? { label: status, tone: 'neutral' as const }

export const invoiceName = ({ number, id }: Pick<ListedInvoice, 'number' | 'id'>): string => number ?? id

export const actTitles: Record<InvoiceAction, string> = {
  send: 'Send Invoice',
  pay: 'Charge Invoice',
  mark_paid: 'Mark Invoice as Paid',
  void: 'Void Invoice',
  mark_uncollectible: 'Mark Invoice Uncollectible',
}

export function confirmLabel(act: InvoiceAction, invoice: ListedInvoice): string {
  const money = formatMoney(invoice.amount_remaining, invoice.currency)
  if (act === 'mark_paid') return `Mark ${money} as paid`
  const verb = { send: 'Send', pay: 'Charge', void: 'Void', mark_uncollectible: 'Write off' }[act]
  return `${verb} ${money}`
}

/** What it will have been, for the toast. */
export function doneText(act: InvoiceAction, invoice: ListedInvoice): string {
  const name = invoiceName(invoice)
  if (act === 'mark_paid') return `Marked invoice ${name} as paid`
  if (act === 'pay' && invoice.status !== 'paid')
    return `Started to charge invoice ${name}: the bank has yet to confirm`
  const verb = { send: 'Sent', pay: 'Charged', void: 'Voided', mark_uncollectible: 'Wrote off' }[act]
  return `${verb} invoice ${name}`
}

/** What may have happened, where the answer was lost. */
export function maybeText(act: InvoiceAction, invoice: ListedInvoice): string {
  const verb = {
    ...{ send: 'sent', pay: 'charged', mark_paid: 'marked as paid', void: 'voided' },
    mark_uncollectible: 'written off',
  }[act]
  return `invoice ${invoiceName(invoice)} was ${verb}`
}

const noEmail = (email: string | null) => (
  <>
    Test mode: Stripe records the invoice as sent to <bdi>{email ?? 'the customer'}</bdi>, and no email goes out.
  </>
)

const emailed = (email: string | null) => (
  <>
    Stripe emails it to <bdi>{email ?? 'the customer'}</bdi>, with a link to pay it. This cannot be undone.
  </>
)

function sendConsequences(invoice: InvoiceDetails): ReactNode[] {
  const money = formatMoney(invoice.amount_remaining, invoice.currency)
  const due = invoice.due_date ? `, due ${formatDate(invoice.due_date)}` : ''
  return [
    <>
      <bdi>{customerNameOf(invoice)}</bdi> owes {money}
      {due}.
    </>,
    ...(invoice.status === 'draft' ? ['The draft gets a number and becomes final.'] : []),
    invoice.sends_email ? emailed(invoice.customer_email) : noEmail(invoice.customer_email),
    'You can void the invoice until paid.',
  ]
}

function subscriptionText({ subscription }: InvoiceDetails, act: 'void' | 'mark_uncollectible'): ReactNode {
  if (!subscription) return 'No subscription is affected.'
  const { label } = subscriptionStatusChips[subscription.status as keyof typeof subscriptionStatusChips] ?? {
    label: subscription.status,
  }
  if (subscription.status === 'incomplete' && act === 'void') {
    return (
      <>
        Stripe ends the subscription <bdi>{subscription.plan_name}</bdi> without this first payment.
      </>
    )
  }
  const waits = subscription.status === 'past_due' || subscription.status === 'unpaid'
  return (
    <>
      The subscription <bdi>{subscription.plan_name}</bdi> ({label}) continues as usual.
      {waits ? ' Stripe may make it active again.' : ''}
    </>
  )
}

function endConsequences(act: 'void' | 'mark_uncollectible', invoice: InvoiceDetails): ReactNode[] {
  const money = formatMoney(invoice.amount_remaining, invoice.currency)
  const who = <bdi>{customerNameOf(invoice)}</bdi>
  const paid =
    invoice.amount_paid > 0 ? ` ${formatMoney(invoice.amount_paid, invoice.currency)} was paid and stays paid.` : ''
  const what =
    act === 'void' ? (
      <>
        {who} no longer owes {money}.{paid}
      </>
    ) : (
      <>
        Writes off {money} of {who}. Stripe no longer tries to collect.{paid}
      </>
    )
  const back =
    act === 'void'
      ? 'The invoice stays in the list as void. This cannot be undone.'
      : 'This cannot be undone. The customer can still pay through the link.'
  return [what, subscriptionText(invoice, act), back]
}

export const noPayer = 'The customer has no saved card or account. Copy the payment link instead.'

/** `Visa ending in 4242, expires 12/2027` */
function payerText({ type, brand, last4, exp_month, exp_year }: PaymentMethod): string {
  const isCard = type === 'card'
  const name = brand === null ? (isCard ? 'the saved card' : 'the saved bank account') : brandName(brand)
  const ending = last4 === null ? '' : ` ending in ${last4}`
  const verb = expiryState({ exp_month, exp_year }, Date.now()) === 'expired' ? 'expired' : 'expires'
  const expiry = exp_month === null || exp_year === null ? '' : `, ${verb} ${exp_month}/${exp_year}`
  return `${name}${ending}${expiry}`
}

function recoveryText({ subscription }: InvoiceDetails): ReactNode {
  if (!subscription || !['past_due', 'unpaid', 'incomplete'].includes(subscription.status))
    return 'No subscription changes.'
  return (
    <>
      The subscription <bdi>{subscription.plan_name}</bdi> becomes active again once nothing else is due.
    </>
  )
}

function payConsequences(invoice: InvoiceDetails, method: PaymentMethod | null): ReactNode[] {
  const money = formatMoney(invoice.amount_remaining, invoice.currency)
  const who = <bdi>{customerNameOf(invoice)}</bdi>
  if (!method) return [noPayer]
  return [
    <>
      Charges {who} {money}: <bdi>{payerText(method)}</bdi>.
    </>,
    ...(method.type === 'card' ? [] : ['The bank confirms in a few days. The invoice stays open until then.']),
    recoveryText(invoice),
    'You can refund the payment later.',
  ]
}

const markPaidConsequences = (invoice: InvoiceDetails): ReactNode[] => [
  <>
    Records that <bdi>{customerNameOf(invoice)}</bdi> paid {formatMoney(invoice.amount_remaining, invoice.currency)}{' '}
    outside Stripe, such as by bank transfer. No card is charged.
  </>,
  recoveryText(invoice),
  'This cannot be undone.',
]

/** What it reaches, with figures. */
export function consequences(act: InvoiceAction, invoice: InvoiceDetails, method: PaymentMethod | null): ReactNode[] {
  if (act === 'send') return sendConsequences(invoice)
  if (act === 'pay') return payConsequences(invoice, method)
  return act === 'mark_paid' ? markPaidConsequences(invoice) : endConsequences(act, invoice)
}

/** What sending a new one does beside what its preview shows. */
export function newConsequences(preview: InvoicePreview): ReactNode[] {
  const { currency, amount_due, balance, total } = preview
  return [
    'Stripe creates the invoice with these lines and makes it final.',
    preview.sends_email ? emailed(preview.email) : noEmail(preview.email),
    ...(amount_due === 0
      ? [`The customer's credit covers the invoice: paid at once.`]
      : [`You can void the invoice until paid. ${balanceText(balance, total, currency)}`.trim()]),
  ]
}

function balanceText(balance: number, total: number, currency: string): string {
  if (balance < 0) return `${formatMoney(Math.min(-balance, total), currency)} of the customer's credit is used first.`
  return balance > 0 ? `${formatMoney(balance, currency)} earlier balance due is added.` : ''
}
