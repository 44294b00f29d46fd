import { expiresWithinMs } from '../grace.ts'
import type { EmptyZone, ExpiringDomain } from '../queries/names.ts'
import { customerOf, evidence, type Found } from '../row.ts'

/** A zone that costs work and attention, and holds no site. */
export const toZone = (zone: EmptyZone, now: Date): Found => ({
  class: 'zone',
  variant: zone.deletedSite === null ? 'never_had_site' : 'site_deleted',
  key: zone.zoneId,
  subject: zone.name,
  domain: zone.name,
  siteId: null,
  zoneId: zone.zoneId,
  customer: customerOf(zone.customerId, zone.customerName),
  subscriptionId: null,
  purchaseId: null,
  since: zone.deletedAt && zone.deletedAt > zone.createdAt ? zone.deletedAt : zone.createdAt,
  money: [],
  evidence: [
    evidence({ source: 'cloudflare', text: `${zone.name} is active`, at: zone.createdAt, seenAt: zone.seenAt }),
    evidence(
      zone.deletedSite === null
        ? { source: 'console', text: 'No site uses the domain or a name below', seenAt: now }
        : { source: 'console', text: `The site ${zone.deletedSite} was deleted`, at: zone.deletedAt, seenAt: now },
    ),
  ],
  repairs: [
    { kind: 'open_zone', target: zone.zoneId },
    { kind: 'add_site', target: zone.name },
  ],
  facts: [],
})

/** A domain that ends while its customer pays on. */
export function toExpiring(domain: ExpiringDomain, now: Date): Found {
  const isOver = domain.expiresAt <= now
  const [first, ...others] = domain.customers
  return {
    class: 'domain',
    variant: isOver ? 'expired' : 'expiring',
    key: domain.name,
    subject: domain.name,
    domain: domain.name,
    siteId: domain.siteId,
    zoneId: domain.zoneId,
    customer: first && others.length === 0 ? customerOf(first.id, first.name) : null,
    subscriptionId: domain.subscriptionId,
    purchaseId: null,
    since: isOver ? domain.expiresAt : new Date(domain.expiresAt.getTime() - expiresWithinMs),
    money: domain.money,
    evidence: [
      evidence({
        source: 'registry',
        text: `${domain.name} ${isOver ? 'has expired' : 'expires'}${domain.registrar ? ` (${domain.registrar})` : ''}`,
        at: domain.expiresAt,
        seenAt: domain.checkedAt,
      }),
      evidence({
        source: 'stripe',
        text: `${domain.customers.map(({ name }) => name ?? 'Unnamed customer').join(', ')} ${others.length > 0 ? 'pay' : 'pays'} for ${domain.plan ?? 'a subscription'}`,
        seenAt: domain.paySeenAt,
      }),
    ],
    repairs: [
      domain.zoneId === null
        ? { kind: 'open_site', target: domain.siteId }
        : { kind: 'open_zone', target: domain.zoneId },
      { kind: 'open_subscription', target: domain.subscriptionId },
    ],
    facts: [domain.subscriptionIds],
  }
}
