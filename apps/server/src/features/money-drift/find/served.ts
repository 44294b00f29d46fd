import type { DriftRepair } from '@agency/contract/money-drift'
import type { Served } from '../queries/served.ts'
import { aboutSite, evidence, type Found } from '../row.ts'

type Kind = Pick<Found, 'class' | 'variant' | 'since' | 'evidence' | 'repairs'>
type At = { now: Date; mirroredAt: Date }

const planOf = ({ plan }: Served): string => plan ?? 'The subscription'
const ownerOf = ({ customerName }: Served): string => customerName ?? 'The customer'

const latest = (...dates: (Date | null)[]): Date =>
  dates.reduce<Date>((last, date) => (date && date > last ? date : last), new Date(0))

function repairsOf(site: Served): DriftRepair[] {
  const suspend: DriftRepair = { kind: 'suspend_site', target: site.siteId }
  return site.subscriptionId === null
    ? [suspend]
    : [suspend, { kind: 'open_subscription', target: site.subscriptionId }]
}

function unpaidOf(site: Served, { now, mirroredAt }: At): Kind {
  const { createdAt, subscriptionSeenAt } = site
  const seenAt = subscriptionSeenAt ?? mirroredAt
  if (site.customerId === null)
    return {
      ...{ class: 'unpaid', variant: 'no_customer', since: createdAt },
      evidence: [evidence({ source: 'console', text: 'No customer is assigned', at: createdAt, seenAt: now })],
      repairs: [
        { kind: 'assign_customer', target: site.siteId },
        { kind: 'suspend_site', target: site.siteId },
      ],
    }
  if (site.status === 'unpaid')
    return {
      ...{ class: 'unpaid', variant: 'dunning_over', since: latest(site.openSince ?? createdAt, createdAt) },
      evidence: [
        evidence({
          source: 'stripe',
          text: `${planOf(site)} is unpaid: every retry has failed`,
          at: site.openSince,
          seenAt,
        }),
      ],
      repairs: repairsOf(site),
    }
  if (site.status === 'paused')
    return {
      ...{ class: 'unpaid', variant: 'trial_over', since: latest(site.periodEnd ?? createdAt, createdAt) },
      evidence: [
        evidence({ source: 'stripe', text: `${planOf(site)} is paused: trial ended without a payment method`, seenAt }),
      ],
      repairs: repairsOf(site),
    }
  return {
    ...{ class: 'unpaid', variant: 'never_paid', since: createdAt },
    evidence: [
      evidence({ source: 'stripe', text: `${ownerOf(site)} has no subscription and has paid nothing`, seenAt }),
    ],
    repairs: repairsOf(site),
  }
}

function endedOf(site: Served, { now, mirroredAt }: At): Kind | undefined {
  const seenAt = site.subscriptionSeenAt ?? mirroredAt
  const isCancelled = site.status === 'cancelled'
  if (!isCancelled && (site.status !== null || site.onceRefundedAt === null)) return undefined
  const refundedAt = site.isRefunded ? site.refundedAt : site.onceRefundedAt
  const seen: Found['evidence'] = [
    ...(isCancelled
      ? [evidence({ source: 'stripe', text: `${planOf(site)} was cancelled`, at: site.endedAt, seenAt })]
      : []),
    ...(refundedAt
      ? [evidence({ source: 'stripe', text: 'The last payment was fully refunded', at: refundedAt, seenAt })]
      : []),
  ]
  const since = latest(site.createdAt, site.endedAt, refundedAt)
  if (site.atProvider !== 'still_served')
    return {
      ...{ class: 'ended', variant: refundedAt ? 'refunded' : 'cancelled', since },
      ...{ evidence: seen, repairs: repairsOf(site) },
    }
  return {
    ...{ class: 'ended', variant: 'still_served', since },
    evidence: [
      ...seen,
      evidence({
        ...{ source: 'console', text: 'Suspended here, but the host cannot take it offline' },
        ...{ at: site.suspendedAt, seenAt: now },
      }),
    ],
    repairs: [
      { kind: 'delete_site', target: site.siteId },
      { kind: 'open_site', target: site.siteId },
    ],
  }
}

/** A site that answers and brings nothing. */
export function toServed(site: Served, at: At): Found | undefined {
  const kind = endedOf(site, at) ?? unpaidOf(site, at)
  // Suspended is what could be done about it; who has never paid, or stopped, is said by the customer's own state.
  if (kind.class === 'unpaid' && site.atProvider === 'still_served') return undefined
  const amount = site.amount ?? 0
  return {
    ...kind,
    ...aboutSite(site),
    money: site.currency !== null && amount > 0 ? [{ amount, currency: site.currency }] : [],
    evidence: [evidence({ source: 'check', text: `${site.domain} answers`, seenAt: site.checkedAt }), ...kind.evidence],
    facts: [site.subscriptionId, site.status],
  }
}
