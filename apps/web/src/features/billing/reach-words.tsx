import type { Reach } from '@agency/contract/types'
import type { ReactNode } from 'react'
import { formatMoney, formatMoneyIfKnown } from '../../lib/format.ts'
import { formatDate } from '../../lib/format-time.ts'
import { InvoiceLink } from './InvoiceLink.tsx'

type MrrRow = Reach['mrr'][number]
type ReachedInvoice = Reach['invoices'][number]

/** What an act changes beside what it is named for: MRR, unpaid invoices, and how far it can be taken back. */
export function reachLines(reach: Reach): ReactNode[] {
  return [...reach.mrr.map(mrrLine), invoicesLine(reach.invoices), undoLine(reach)].filter((line) => line !== null)
}

/** The same of a refund: the payment, and the subscriptions that it paid for. */
export function refundLines({ payment, subscriptions, undo }: Reach): ReactNode[] {
  const [before, after] = [payment?.before.refunded_amount ?? null, payment?.after.refunded_amount ?? null]
  const taken = before === null || after === null ? 0 : after - before
  return [
    payment && taken > 0
      ? `Revenue falls by ${formatMoney(taken, payment.currency)}; ${formatMoneyIfKnown(payment.after.refundable_amount, payment.currency)} of the payment remain.`
      : null,
    ...subscriptions.map(({ id, after: { status, plan_name } }) =>
      status === 'cancelled' ? null : (
        <span key={id}>
          The subscription <bdi>{plan_name}</bdi> continues and is billed as before. Monthly recurring revenue does not
          change.
        </span>
      ),
    ),
    undoLine({ undo }),
  ].filter((line) => line !== null)
}

const soonMs = 60_000

export const unknownMrr = 'The effect on monthly recurring revenue is unknown: Stripe did not send the price.'

function mrrLine({ before, after, at, currency }: MrrRow): string {
  if (before === null || after === null) return unknownMrr
  if (before === after) return 'Monthly recurring revenue does not change.'
  const money = (amount: number) => formatMoney(amount, currency)
  const when = Date.parse(at) > Date.now() + soonMs ? `on ${formatDate(at)}` : 'at once'
  const [verb, by] = after < before ? ['falls', before - after] : ['rises', after - before]
  return `Monthly recurring revenue ${verb} by ${money(by)} ${when}, from ${money(before)} to ${money(after)} for this subscription.`
}

function invoicesLine(invoices: readonly ReachedInvoice[]): ReactNode | null {
  if (invoices.length === 0) return null
  const isOne = invoices.length === 1
  const kept = invoices.some(({ becomes }) => becomes === 'not_collected')
    ? 'open and no longer collected'
    : 'as they are'
  return (
    <>
      {isOne ? 'One unpaid invoice stays' : `${invoices.length} unpaid invoices stay`}{' '}
      {isOne && kept === 'as they are' ? 'as it is' : kept}: <InvoiceList invoices={invoices} />.
    </>
  )
}

export function InvoiceList({ invoices }: { invoices: readonly ReachedInvoice[] }) {
  return invoices.map((invoice, index) => (
    <span key={invoice.id}>
      {index > 0 ? ', ' : null}
      <InvoiceLink invoice={invoice} /> ({formatMoney(invoice.amount_remaining, invoice.currency)})
    </span>
  ))
}

/** How it can be taken back, and until when. */
export function undoLine({ undo }: Pick<Reach, 'undo'>): string {
  if (undo === null) return 'This cannot be undone.'
  switch (undo.by) {
    case 'undo_cancel':
      return undo.until
        ? `The cancellation can be undone until ${formatDate(undo.until)}.`
        : 'The cancellation can be undone.'
    case 'resume':
      return undo.until
        ? `You can resume at any time. Resumes automatically on ${formatDate(undo.until)}.`
        : 'You can resume at any time.'
    case 'cancel':
      return 'You can cancel again at any time.'
    case 'pause':
      return 'You can pause again at any time.'
    default:
      return 'You can change the plan back at any time. Charges are then credited by the same rules.'
  }
}
