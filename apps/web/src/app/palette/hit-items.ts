import * as adminUsers from '@agency/contract/descriptors/admin-users'
import * as billing from '@agency/contract/descriptors/billing'
import * as customers from '@agency/contract/descriptors/customers'
import * as deployments from '@agency/contract/descriptors/deployments'
import * as domains from '@agency/contract/descriptors/domains'
import * as invoices from '@agency/contract/descriptors/invoices'
import * as purchases from '@agency/contract/descriptors/purchases'
import * as sites from '@agency/contract/descriptors/sites'
import type { Access, Hit, HitKind, Permission } from '@agency/contract/types'
import { invoiceChip } from '../../features/billing/provider-words.ts'
import { customerStatusChips } from '../../lib/customer-status.ts'
import { deploymentStatusChips } from '../../lib/deployment-status.ts'
import { domainStatusChip } from '../../lib/domain-status.ts'
import { paymentStatusChips } from '../../lib/payment-status.ts'
import { purchaseStatusChips } from '../../lib/purchase-status.ts'
import { denialOf } from '../../lib/session.ts'
import { healthChips, siteStatusChips } from '../../lib/site-status.ts'
import type { RecentChoice } from '../../lib/storage.ts'
import { subscriptionStatusChips } from '../../lib/subscription-status.ts'
import type { Group, Item } from './items.ts'
import { rank } from './rank.ts'

type Kept = NonNullable<RecentChoice['hit']>

const kinds: Record<HitKind, { group: string; permission: Access }> = {
  customer: { group: 'Customers', permission: customers.listCustomers.permission },
  site: { group: 'Sites', permission: sites.listSites.permission },
  domain: { group: 'Domains', permission: domains.listDomains.permission },
  deployment: { group: 'Deployments', permission: deployments.listDeployments.permission },
  subscription: { group: 'Subscriptions', permission: billing.listSubscriptions.permission },
  payment: { group: 'Payments', permission: billing.listPayments.permission },
  invoice: { group: 'Invoices', permission: invoices.getInvoice.permission },
  purchase: { group: 'Purchases', permission: purchases.listPurchases.permission },
  user: { group: 'People', permission: adminUsers.listUsers.permission },
}

/** After every name and word that begins as the term does. */
const elsewhere = 3

const order = Object.keys(kinds) as HitKind[]

/** Kinds that somebody may search. */
export const searchable = (held: readonly Permission[]): string[] =>
  order.filter((kind) => !denialOf(kinds[kind].permission, held)).map((kind) => kinds[kind].group)

/** Only paths of the console are followed, whatever an answer or the browser's storage says. */
const isOurs = (path: unknown): path is string => typeof path === 'string' && /^\/admin(?=[/?]|$)/.test(path)

type Priced = Pick<Extract<Hit, { currency: string }>, 'amount' | 'currency' | 'created_at'>
const priceOf = ({ amount, currency, created_at }: Priced) => ({
  ...(amount === null ? {} : { money: { amount, currency } }),
  at: created_at,
})

function factsOf(hit: Hit): Partial<Item> {
  switch (hit.kind) {
    case 'customer': {
      const deleted = hit.deleted ? [{ label: 'Deleted', tone: 'neutral' as const }] : []
      return { chips: [customerStatusChips[hit.status], ...deleted] }
    }
    case 'site': {
      // That a site is healthy is nobody's news.
      const health = hit.health === 'healthy' ? [] : [healthChips[hit.health]]
      return { chips: [siteStatusChips[hit.status], ...health] }
    }
    case 'domain': {
      const { label, tone } = domainStatusChip(hit.status)
      return { chips: [{ label, tone }, ...(hit.paused ? [{ label: 'Paused', tone: 'warning' as const }] : [])] }
    }
    case 'deployment':
      return { chips: [deploymentStatusChips[hit.status]], at: hit.created_at }
    case 'subscription':
      return { chips: [subscriptionStatusChips[hit.status]], ...priceOf(hit) }
    case 'payment':
      return { chips: [paymentStatusChips[hit.status]], ...priceOf(hit) }
    case 'invoice':
      return { chips: [invoiceChip(hit.status)], ...priceOf(hit) }
    case 'purchase':
      return { chips: [purchaseStatusChips[hit.status]], ...priceOf(hit) }
    case 'user':
      return { chips: hit.is_active ? [] : [{ label: 'Inactive', tone: 'neutral' }] }
  }
}

/** The hit as something to choose, unless it leads elsewhere than into the console. */
export const itemOf = (hit: Hit): Item | undefined => (isOurs(hit.path) ? toItem(hit, false) : undefined)

function toItem(hit: Hit, isExact: boolean): Item {
  const { kind, id, title, detail, path } = hit
  const key = `${kind}:${id}`
  return {
    ...{ key, title, detail: detail ?? undefined, code: isExact && id !== title ? id : undefined, href: path },
    ...factsOf(hit),
    recent: { key, hit: { kind, title, detail, path } },
  }
}

/** Hits by kind. The kind of the object whose very id was typed comes first. */
export function hitGroups({ exact, hits }: { exact: boolean; hits: readonly Hit[] }, term: string): Group[] {
  const first = exact ? hits[0] : undefined
  const ordered = first ? [first.kind, ...order.filter((kind) => kind !== first.kind)] : order
  return ordered
    .map((kind) => ({
      label: kinds[kind].group,
      isFromServer: true,
      items: hits
        .filter((hit) => hit.kind === kind && isOurs(hit.path))
        .map((hit) => ({ ...toItem(hit, hit === first), place: rank(term, hit.title, hit.detail ?? '') ?? elsewhere })),
    }))
    .filter(({ items }) => items.length > 0)
}

/** What was chosen before, without what may have changed since. */
export function keptItem(
  key: string,
  { kind, title, detail, path }: Kept,
  held: readonly Permission[],
): Item | undefined {
  if (!isOurs(path) || !kinds[kind] || denialOf(kinds[kind].permission, held)) return undefined
  const words = [kinds[kind].group, detail].filter(Boolean).join(' · ')
  return { key, title, detail: words, href: path, recent: { key, hit: { kind, title, detail, path } } }
}
