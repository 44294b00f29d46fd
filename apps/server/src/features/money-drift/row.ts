import { createHash } from 'node:crypto'
import type { DriftClass, DriftEvidence, DriftRepair, DriftVariant } from '@agency/contract/money-drift'
import type { Money } from '@agency/contract/primitives'
import { orderOfMoney } from '../../platform/money-text.ts'

/** What a look has found, before it is written down. */
export type Found = {
  class: DriftClass
  variant: DriftVariant
  /** What it is about within its class. */
  key: string
  subject: string
  domain: string | null
  siteId: string | null
  zoneId: string | null
  customer: { id: string; name: string } | null
  subscriptionId: string | null
  purchaseId: string | null
  since: Date
  money: readonly Money[]
  evidence: readonly DriftEvidence[]
  repairs: readonly DriftRepair[]
  /** Beside variant, customer, money and moment: what else must stay for a dismissal to hold. */
  facts: readonly (string | null)[]
}

/** As it stands in the table. */
export type DriftRow = {
  id: string
  class: string
  variant: string
  subject_name: string
  domain: string | null
  site_id: string | null
  zone_id: string | null
  customer_id: string | null
  customer_name: string | null
  subscription_id: string | null
  purchase_id: string | null
  since: string
  money: readonly Money[]
  money_order: number
  evidence: readonly DriftEvidence[]
  repairs: readonly DriftRepair[]
  facts: string
}

/** Ages and names may change; what decides may not. */
function digestOf({ variant, customer, since, money, facts }: Found): string {
  const decisive = [variant, customer?.id ?? null, since.toISOString(), money, facts]
  return createHash('sha256').update(JSON.stringify(decisive)).digest('base64url')
}

export const toRow = (found: Found): DriftRow => ({
  id: `${found.class}:${found.key}`,
  class: found.class,
  variant: found.variant,
  subject_name: found.subject,
  domain: found.domain,
  site_id: found.siteId,
  zone_id: found.zoneId,
  customer_id: found.customer?.id ?? null,
  customer_name: found.customer?.name ?? null,
  subscription_id: found.subscriptionId,
  purchase_id: found.purchaseId,
  since: found.since.toISOString(),
  money: found.money,
  money_order: orderOfMoney(found.money),
  evidence: found.evidence,
  repairs: found.repairs,
  facts: digestOf(found),
})

/** With names only: whoever has none is told by the id in the link. */
export const customerOf = (id: string | null, name: string | null): Found['customer'] =>
  id === null ? null : { id, name: name ?? 'Unnamed customer' }

type AboutSite = {
  siteId: string
  siteName: string
  domain: string
  customerId: string | null
  customerName: string | null
  subscriptionId: string | null
}

/** What a row about a site and its owner is of. */
export const aboutSite = (site: AboutSite) => ({
  ...{ key: site.siteId, subject: site.siteName, domain: site.domain, siteId: site.siteId, zoneId: null },
  ...{ subscriptionId: site.subscriptionId, purchaseId: null },
  customer: customerOf(site.customerId, site.customerName),
})

type Seen = Pick<DriftEvidence, 'source' | 'text'> & { at?: Date | null; seenAt: Date }

export const evidence = ({ source, text, at = null, seenAt }: Seen): DriftEvidence => ({
  ...{ source, text, at: at?.toISOString() ?? null, seen_at: seenAt.toISOString() },
})
