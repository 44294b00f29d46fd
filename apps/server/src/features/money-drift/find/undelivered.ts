import type { DriftRepair } from '@agency/contract/money-drift'
import { siteNameOf } from '../../purchases/index.ts'
import type { Paying } from '../queries/paying.ts'
import type { Undelivered, Unmade } from '../queries/undelivered.ts'
import { aboutSite, customerOf, evidence, type Found } from '../row.ts'

const pays = (paying: Paying, customerName: string | null) =>
  evidence({
    source: 'stripe',
    text: `${customerName ?? 'The customer'} pays for ${paying.plan ?? 'a subscription'}`,
    at: paying.payingSince,
    seenAt: paying.paySeenAt,
  })

const later = (a: Date, b: Date): Date => (a > b ? a : b)

type Kind = Pick<Found, 'since' | 'evidence' | 'repairs'>

function kindOf(site: Undelivered, now: Date): Kind {
  const { siteId: target, createdAt, payingSince } = site
  const cancel: DriftRepair = { kind: 'open_subscription', target: site.subscriptionId }
  const began = later(createdAt, payingSince)
  switch (site.variant) {
    case 'down':
      return {
        since: site.since ?? began,
        evidence: [
          evidence({
            source: 'check',
            text: `${site.domain} is down${site.detail ? `: ${site.detail}` : ''}`,
            at: site.since,
            seenAt: site.checkedAt ?? now,
          }),
        ],
        repairs: [{ kind: 'deploy_site', target }, cancel],
      }
    case 'suspended':
      return {
        since: later(site.since ?? began, payingSince),
        evidence: [
          evidence({
            source: 'console',
            text: `Suspended${site.reason ? `: ${site.reason}` : ''}`,
            at: site.since,
            seenAt: now,
          }),
        ],
        repairs: [{ kind: 'resume_site', target }, cancel],
      }
    case 'never_deployed':
      return {
        since: began,
        evidence: [
          evidence({
            source: 'console',
            text: site.failedAt ? 'Never deployed: the last deployment failed' : 'Never deployed',
            at: site.failedAt,
            seenAt: now,
          }),
        ],
        // Without a provider there is nothing that could deploy it: that is set on its own screen.
        repairs: [site.provider === null ? { kind: 'open_site', target } : { kind: 'deploy_site', target }, cancel],
      }
  }
}

/** A site that is paid for and is not there. */
export const toUndelivered = (site: Undelivered, now: Date): Found => {
  const kind = kindOf(site, now)
  return {
    class: 'undelivered',
    variant: site.variant,
    ...aboutSite(site),
    money: site.money,
    ...{ since: kind.since, repairs: kind.repairs },
    evidence: [...kind.evidence, pays(site, site.customerName)],
    facts: [site.subscriptionIds],
  }
}

/** What was bought and is paid, and was never made. */
export const toUnmade = (bought: Unmade, now: Date): Found => {
  const name = siteNameOf({ metadata: bought.metadata, payment_description: null, product_name: bought.plan })
  return {
    class: 'undelivered',
    variant: 'no_site',
    key: bought.purchaseId,
    subject: name,
    domain: null,
    siteId: null,
    zoneId: null,
    customer: customerOf(bought.customerId, bought.customerName),
    subscriptionId: bought.subscriptionId,
    purchaseId: bought.purchaseId,
    since: bought.boughtAt,
    money: bought.money,
    evidence: [
      evidence({ source: 'stripe', text: `Bought ${name}`, at: bought.boughtAt, seenAt: bought.seenAt }),
      evidence({
        source: 'console',
        text: `${bought.customerName ?? 'The customer'} has no site here`,
        seenAt: now,
      }),
      pays(bought, bought.customerName),
    ],
    repairs: [
      { kind: 'add_site', target: '' },
      { kind: 'reset_purchase', target: bought.purchaseId },
      { kind: 'open_subscription', target: bought.subscriptionId },
    ],
    facts: [bought.subscriptionIds],
  }
}
