import type { NextInvoice } from '@agency/contract/types'
import { formatMoney } from '../../lib/format.ts'
import { formatDate } from '../../lib/format-time.ts'
import css from './billing.module.css'

/** The invoice that Stripe says would come next, line by line. */
export function NextInvoicePreview({ invoice, stale }: { invoice: NextInvoice; stale: boolean }) {
  const money = (amount: number) => formatMoney(amount, invoice.currency)
  const discount = invoice.subtotal - invoice.total
  const credit = Math.max(invoice.total, 0) - invoice.amount_due
  return (
    <section aria-label="Next invoice" aria-busy={stale} className={css['nextInvoice']}>
      <h3 className={css['heading']}>
        {invoice.charged_now ? 'Charged now' : `Next invoice, on ${formatDate(invoice.charged_at)}`}
      </h3>
      <dl className={css['sum']}>
        {invoice.lines.map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a fixed list without ids
          <Line key={index} label={line.description ?? 'No description'} value={money(line.amount)} />
        ))}
        {invoice.has_more_lines ? <Line label="More lines, counted in the total" value="" /> : null}
        {discount === 0 ? null : <Line label="Discounts" value={money(-discount)} />}
        {credit === 0 ? null : (
          <Line label={credit > 0 ? "Paid from the customer's credit" : 'Earlier balance due'} value={money(-credit)} />
        )}
        <Line total label={invoice.charged_now ? 'Due now' : 'Due then'} value={money(invoice.amount_due)} />
      </dl>
      {invoice.total < 0 ? (
        <p className={css['muted']}>
          {money(-invoice.total)} becomes the customer's credit for later invoices. Not refunded.
        </p>
      ) : null}
    </section>
  )
}

function Line({ label, value, total = false }: { label: string; value: string; total?: boolean }) {
  return (
    <div data-total={total || undefined}>
      <dt>
        <bdi>{label}</bdi>
      </dt>
      <dd>{value}</dd>
    </div>
  )
}
