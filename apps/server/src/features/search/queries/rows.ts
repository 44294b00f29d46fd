import type {
  CustomerStatus,
  DeploymentStatus,
  HealthStatus,
  PaymentStatus,
  SiteStatus,
  SubscriptionStatus,
} from '@agency/contract/types'
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
export type SiteRow = {
  kind: 'site'
  id: string
  name: string
  domain: string
  customer_name: string | null
  status: SiteStatus
  health: HealthStatus
}
export type DomainRow = {
  kind: 'domain'
  id: string
  name: string
  plan: string | null
  status: string | null
  paused: boolean
}
export type DeploymentRow = {
  kind: 'deployment'
  id: string
  site_name: string
  version: string | null
  commit_message: string | null
  status: DeploymentStatus
  created_at: string
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

export type Row =
  | CustomerRow
  | SiteRow
  | DomainRow
  | DeploymentRow
  | SubscriptionRow
  | PaymentRow
  | InvoiceRow
  | PurchaseRow
  | UserRow
export type Kind = Row['kind']

/** So many of each kind are shown. */
export const most = 5

const customer = `'customer' as kind, c.id, c.name, c.email, c.company, c.status, c.deleted_at is not null as deleted`

const site = `'site' as kind, s.id, s.site_name as name, s.domain, s.customer_name, s.status, s.health_status as health`

const domain = `'domain' as kind, d.id, d.name, d.plan ->> 'name' as plan, d.status, d.paused`

const deployment = `'deployment' as kind, d.id, s.site_name, d.version, d.commit_message, d.status, iso_utc(d.queued_at) as created_at`

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
  site: { table: 'sites s', columns: site, joins: '' },
  domain: { table: 'domains d', columns: domain, joins: '' },
  deployment: { table: 'deployments d', columns: deployment, joins: 'join sites s on s.id = d.site_id' },
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
