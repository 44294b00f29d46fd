import type { Hit } from '@agency/contract/types'
import { siteNameOf, statusOf } from '../purchases/index.ts'
import type {
  CustomerRow,
  DeploymentRow,
  DomainRow,
  InvoiceRow,
  PaymentRow,
  PurchaseRow,
  Row,
  SiteRow,
  SubscriptionRow,
  UserRow,
} from './queries/rows.ts'

const to = (screen: string, params: Record<string, string>): string => `/admin/${screen}?${new URLSearchParams(params)}`

const filled = (text: string | null): string | undefined => text?.trim() || undefined

type Payer = { customer_id: string | null; name: string | null; email: string | null }
const payerOf = ({ customer_id, name, email }: Payer): string =>
  filled(name) ?? filled(email) ?? customer_id ?? 'No customer'

function toCustomer({ kind, id, name, email, company, status, deleted }: CustomerRow): Hit {
  const [title = id, ...rest] = [name, email, company].map(filled).filter((text) => text !== undefined)
  return { kind, id, title, detail: rest.join(' · ') || null, path: to('customers', { open: id }), status, deleted }
}

function toSite({ kind, id, name, domain, customer_name, status, health }: SiteRow): Hit {
  const detail = [domain, filled(customer_name)].filter(Boolean).join(' · ')
  return { kind, id, title: name, detail, path: to('sites', { open: id }), status, health }
}

function toDomain({ kind, id, name, plan, status, paused }: DomainRow): Hit {
  return { kind, id, title: name, detail: filled(plan) ?? null, path: to('domains', { open: id }), status, paused }
}

function toDeployment({ kind, id, site_name, version, commit_message, status, created_at }: DeploymentRow): Hit {
  const detail = [version, commit_message].map(filled).filter(Boolean).join(' · ') || null
  return { kind, id, title: site_name, detail, path: to('deployments', { open: id }), status, created_at }
}

function toSubscription(row: SubscriptionRow): Hit {
  const { kind, id, plan, status, amount, currency, created_at } = row
  const path = to('subscriptions', { open: id })
  return { kind, id, title: payerOf(row), detail: plan, path, status, amount, currency, created_at }
}

function toPayment(row: PaymentRow): Hit {
  const { kind, id, description, status, amount, currency, created_at } = row
  const path = to('payments', { open: id })
  return {
    kind,
    id,
    title: payerOf(row),
    detail: filled(description) ?? null,
    path,
    status,
    amount,
    currency,
    created_at,
  }
}

/** Invoices are shown among those of what they were paid with, else of their subscription. */
function invoicePath({ payment_id, subscription_id, customer_id }: InvoiceRow): string {
  if (payment_id !== null) return to('payments', { open: payment_id, view: 'invoices' })
  if (subscription_id !== null) return to('subscriptions', { open: subscription_id, view: 'invoices' })
  return customer_id === null ? '/admin/payments' : to('payments', { customer: customer_id })
}

function toInvoice(row: InvoiceRow): Hit {
  const { kind, id, number, status, amount, currency, created_at } = row
  const path = invoicePath(row)
  return { kind, id, title: filled(number) ?? id, detail: payerOf(row), path, status, amount, currency, created_at }
}

function toPurchase(row: PurchaseRow): Hit {
  const { kind, id, customer_email, amount, currency, created_at } = row
  const path = to('purchases', { open: id })
  const [title, status] = [siteNameOf(row), statusOf(row)]
  return { kind, id, title, detail: filled(customer_email) ?? null, path, status, amount, currency, created_at }
}

function toUser({ kind, id, name, email, is_active }: UserRow): Hit {
  return { kind, id, title: name, detail: email, path: to('users', { open: id }), is_active }
}

export function toHit(row: Row): Hit {
  switch (row.kind) {
    case 'customer':
      return toCustomer(row)
    case 'site':
      return toSite(row)
    case 'domain':
      return toDomain(row)
    case 'deployment':
      return toDeployment(row)
    case 'subscription':
      return toSubscription(row)
    case 'payment':
      return toPayment(row)
    case 'invoice':
      return toInvoice(row)
    case 'purchase':
      return toPurchase(row)
    case 'user':
      return toUser(row)
  }
}
