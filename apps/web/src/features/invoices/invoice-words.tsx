import type { InvoiceAction, InvoiceDetails, InvoicePreview, ListedInvoice } from '@agency/contract/types'
import type { ReactNode } from 'react'
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
  void: 'Void Invoice',
  mark_uncollectible: 'Mark Invoice Uncollectible',
}

export function confirmLabel(act: InvoiceAction, invoice: ListedInvoice): string {
  const verb = { send: 'Send', void: 'Void', mark_uncollectible: 'Write off' }[act]
  return `${verb} ${formatMoney(invoice.amount_remaining, invoice.currency)}`
}

/** What it will have been, for the toast. */
export function doneText(act: InvoiceAction, invoice: ListedInvoice): string {
  const verb = { send: 'Sent', void: 'Voided', mark_uncollectible: 'Wrote off' }[act]
  return `${verb} invoice ${invoiceName(invoice)}`
}

/** What may have happened, where the answer was lost. */
export function maybeText(act: InvoiceAction, invoice: ListedInvoice): string {
  const verb = { send: 'sent', void: 'voided', mark_uncollectible: 'written off' }[act]
  return `invoice ${invoiceName(invoice)} was ${verb}`
}

const noEmail = (email: string | null) => (
  <>
    This is test mode: Stripe records the invoice as sent to <bdi>{email ?? 'the customer'}</bdi>, and no email goes
    out.
  </>
)

const emailed = (email: string | null) => (
  <>
    Stripe emails it to <bdi>{email ?? 'the customer'}</bdi>, with a link to pay it. The email cannot be taken back.
  </>
)

function sendConsequences(invoice: InvoiceDetails): ReactNode[] {
  const money = formatMoney(invoice.amount_remaining, invoice.currency)
  const due = invoice.due_date ? `, due ${formatDate(invoice.due_date)}` : ''
  return [
    <>
      <bdi>{customerNameOf(invoice)}</bdi> is asked for {money}
      {due}.
    </>,
    ...(invoice.status === 'draft'
      ? ['The draft becomes final: it gets its number, and its lines cannot be changed any more.']
      : []),
    invoice.sends_email ? emailed(invoice.customer_email) : noEmail(invoice.customer_email),
    'Until it is paid it can still be voided.',
  ]
}

function subscriptionText({ subscription }: InvoiceDetails, act: 'void' | 'mark_uncollectible'): ReactNode {
  if (!subscription) return 'It belongs to no subscription, so no subscription changes.'
  const { label } = subscriptionStatusChips[subscription.status as keyof typeof subscriptionStatusChips] ?? {
    label: subscription.status,
  }
  if (subscription.status === 'incomplete' && act === 'void') {
    return (
      <>
        The subscription <bdi>{subscription.plan_name}</bdi> waits for this first payment: without the invoice Stripe
        ends it.
      </>
    )
  }
  const waits = subscription.status === 'past_due' || subscription.status === 'unpaid'
  return (
    <>
      It bills the subscription <bdi>{subscription.plan_name}</bdi> ({label}), which goes on and bills its next period
      as usual.{waits ? ' Stripe may make it active again, because this is what it waits for.' : ''}
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
        {who} owes {money} no longer, and can no longer pay it.{paid}
      </>
    ) : (
      <>
        {money} of {who} is written off as a bad debt, and Stripe no longer tries to collect it.{paid}
      </>
    )
  const back =
    act === 'void'
      ? 'The invoice stays in the list as void. This cannot be undone.'
      : 'It cannot be set back to open. It can still be paid through its link, or voided.'
  return [what, subscriptionText(invoice, act), back]
}

/** What it reaches, with figures. */
export const consequences = (act: InvoiceAction, invoice: InvoiceDetails): ReactNode[] =>
  act === 'send' ? sendConsequences(invoice) : endConsequences(act, invoice)

/** What sending a new one does beside what its preview shows. */
export function newConsequences(preview: InvoicePreview): ReactNode[] {
  const { currency, amount_due, balance, total } = preview
  return [
    'Stripe makes the invoice with exactly these lines and makes it final. Its lines cannot be changed then.',
    preview.sends_email ? emailed(preview.email) : noEmail(preview.email),
    ...(amount_due === 0
      ? [`The customer's credit covers all of it, so it counts as paid at once.`]
      : [`Until it is paid it can still be voided. ${balanceText(balance, total, currency)}`.trim()]),
  ]
}

function balanceText(balance: number, total: number, currency: string): string {
  if (balance < 0)
    return `${formatMoney(Math.min(-balance, total), currency)} of the customer's credit is used up first.`
  return balance > 0 ? `${formatMoney(balance, currency)} that the customer owes already is added.` : ''
}
