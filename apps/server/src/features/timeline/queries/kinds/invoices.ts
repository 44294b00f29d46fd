import type { Source } from '../source.ts'

/** Invoices are shown among those of their subscription. */
const target = 'coalesce(i.subscription_id, i.customer_id)'

const invoice = (event: string, at: string, where: string, amount = 'i.amount_due'): Source => ({
  name: `invoice.${event}`,
  kind: 'invoice',
  permission: 'billing.read',
  from: 'invoices i',
  where: `i.customer_id = $1 and i.deleted_at is null ${where}`,
  at,
  id: 'i.id',
  columns: {
    event: `'${event}'`,
    object_id: target,
    status: 'i.status',
    amount,
    currency: 'i.currency',
    detail: 'i.number',
  },
})

const moment = (event: string, name: string, amount?: string): Source => {
  const at = `invoice_moment(i.raw, '${name}')`
  return invoice(event, at, `and ${at} is not null`, amount)
}

const finalizedAt = "invoice_moment(i.raw, 'finalized_at')"

export const invoices: readonly Source[] = [
  invoice('created', 'i.created_at', ''),
  invoice('finalized', finalizedAt, `and ${finalizedAt} <> i.created_at`),
  moment('paid', 'paid_at', 'i.amount_paid'),
  moment('voided', 'voided_at'),
  moment('uncollectible', 'marked_uncollectible_at'),
  {
    name: 'invoice.moment',
    kind: 'invoice',
    permission: 'billing.read',
    from: 'customer_moments m left join invoices i on i.id = m.object_id',
    where: `m.customer_id = $1 and m.kind = 'invoice'`,
    at: 'm.at',
    id: 'm.event_id',
    columns: {
      event: `array_to_string(m.stories, ' ')`,
      object_id: 'coalesce(i.subscription_id, m.customer_id)',
      status: 'i.status',
      amount: 'm.amount',
      currency: 'm.currency',
      detail: 'i.number',
    },
  },
]
