import type { CustomerStatus, PaymentStatus, SubscriptionStatus } from '@agency/contract/types'
import { planName } from '../../billing/index.ts'
import { type PurchaseRecord, purchaseColumns, purchaseJoins } from '../../purchases/index.ts'

type Payer = { customer_id: string | null; name: string | null; email: string | null }
type Priced = { amount: number; currency: string; created_at: string }

export type CustomerRow = {
  kind: 'customer'
  id: string
  name: string | null
  email: string | null
  company: string | null
  status: CustomerStatus
  deleted: boolean
}
export type SubscriptionRow = Payer &
  Omit<Priced, 'amount'> & {
    kind: 'subscription'
    id: string
    plan: string
    status: SubscriptionStatus
    amount: number | null
  }
export type PaymentRow = Payer &
  Priced & { kind: 'payment'; id: string; description: string | null; status: PaymentStatus }
export type InvoiceRow = Payer &
  Priced & {
    kind: 'invoice'
    id: string
    number: string | null
    status: string
    payment_id: string | null
    subscription_id: string | null
  }
export type PurchaseRow = PurchaseRecord & { kind: 'purchase' }
export type UserRow = { kind: 'user'; id: string; name: string; email: string; is_active: boolean }

export type Row = CustomerRow | SubscriptionRow | PaymentRow | InvoiceRow | PurchaseRow | UserRow
export type Kind = Row['kind']

const customer = `'customer' as kind, c.id, c.name, c.email, c.company, c.status, c.deleted_at is not null as deleted`

const subscription = `'subscription' as kind, s.id, s.customer_id, c.name, c.email, ${planName} as plan, s.status, s.amount,
  s.currency, iso_utc(s.created_at) as created_at`

const payment = `'payment' as kind, p.id, p.customer_id, c.name, c.email, p.description, p.status, p.amount, p.currency,
  iso_utc(p.created_at) as created_at`

const invoice = `'invoice' as kind, i.id, i.number, i.customer_id, c.name, c.email, i.status, i.amount_due as amount, i.currency,
  iso_utc(i.created_at) as created_at, i.subscription_id, (
    select paid.payment_id from invoice_payments paid join payments p on p.id = paid.payment_id
    where paid.invoice_id = i.id order by paid.created_at desc limit 1
  ) as payment_id`

const user = `'user' as kind, u.id, u.name, u.email, u.is_active`

/** What is told of each kind: its columns, and the joins that they need over the alias of its table. */
export const shown = {
  customer: { table: 'customers c', columns: customer, joins: '' },
  subscription: {
    table: 'subscriptions s',
    columns: subscription,
    joins: 'left join customers c on c.id = s.customer_id left join products product on product.id = s.product_id',
  },
  payment: { table: 'payments p', columns: payment, joins: 'left join customers c on c.id = p.customer_id' },
  invoice: { table: 'invoices i', columns: invoice, joins: 'left join customers c on c.id = i.customer_id' },
  purchase: { table: 'checkout_sessions s', columns: `'purchase' as kind, ${purchaseColumns}`, joins: purchaseJoins },
  user: { table: 'users u', columns: user, joins: '' },
} as const satisfies Record<Row['kind'], { table: string; columns: string; joins: string }>
