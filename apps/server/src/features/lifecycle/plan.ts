import type { BillingChoice, LifecyclePreview, SuspensionReason } from '@agency/contract/types'
import type { CustomerState } from '../customer-states/index.ts'
import type { CustomerSite } from '../sites/index.ts'
import type { KnownCustomer, LiveSubscription, OpenInvoice } from './queries/situation.ts'

export type Kind = LifecyclePreview['kind']
export type Options =
  | { kind: 'suspend'; reason: SuspensionReason; note: string | null; billing: BillingChoice; notice: boolean }
  | { kind: 'unsuspend'; notice: boolean }
  | { kind: 'delete'; atStripe: boolean }
  | { kind: 'erase' }

/** All that a plan is made of, as it is at one moment. */
export type Situation = {
  customer: KnownCustomer
  state: CustomerState | undefined
  subscriptions: readonly LiveSubscription[]
  openInvoices: readonly OpenInvoice[]
  /** What the suspension in force paused, and how. */
  paused: ReadonlyMap<string, string>
  /** Those that a suspension would reach. */
  liveSites: readonly CustomerSite[]
  /** Those that the customer's own suspension took. */
  takenSites: readonly CustomerSite[]
}

export type PlannedStep = {
  kind: 'record' | 'pause' | 'resume' | 'sites' | 'mail' | 'delete_at_stripe' | 'erase'
  target: string | null
  payload: Record<string, unknown>
}

export type Reached = {
  subscription: LiveSubscription
  change: 'paused' | 'resumed' | 'cancelled' | 'unchanged'
  note: string | null
  /** Whether it counts as monthly recurring revenue afterwards. */
  counts: boolean
}

export type Plan = { steps: PlannedStep[]; reached: Reached[]; sites: readonly CustomerSite[] }

const pausable = new Set(['active', 'trialing', 'past_due', 'unpaid'])
/** As the provider's figures have it: what falls due later is no revenue while its invoices are thrown away. */
const uncounted = new Set(['void', 'mark_uncollectible'])

const countsWith = (status: string, behavior: string | null): boolean =>
  status === 'past_due' || (status === 'active' && !uncounted.has(behavior ?? ''))

const asItIs = (subscription: LiveSubscription, note: string | null): Reached => ({
  subscription,
  change: 'unchanged',
  note,
  counts: countsWith(subscription.status, subscription.pause_collection),
})

function reachOfPause(subscription: LiveSubscription, billing: BillingChoice): Reached {
  if (billing === 'keep') return asItIs(subscription, 'Billed as before')
  if (!pausable.has(subscription.status)) return asItIs(subscription, 'Not collected anyway')
  if (subscription.pause_collection !== null) return asItIs(subscription, 'Collection is already paused')
  return { subscription, change: 'paused', note: null, counts: countsWith(subscription.status, billing) }
}

function reachOfResume(subscription: LiveSubscription, behavior: string | undefined): Reached {
  if (behavior === undefined) return asItIs(subscription, 'Not paused by the suspension')
  if (subscription.pause_collection === null) return asItIs(subscription, 'Collection already continues')
  if (subscription.pause_collection !== behavior) return asItIs(subscription, 'The pause was changed since')
  return { subscription, change: 'resumed', note: null, counts: countsWith(subscription.status, null) }
}

const step = (kind: PlannedStep['kind'], payload: PlannedStep['payload'] = {}, target: string | null = null) => ({
  kind,
  target,
  payload,
})

const about = (kind: 'pause' | 'resume', reached: readonly Reached[], behaviorOf: (id: string) => unknown) =>
  reached
    .filter(({ change }) => change === 'paused' || change === 'resumed')
    .map(({ subscription: { id } }) => step(kind, { behavior: behaviorOf(id) }, id))

const aboutSites = (sites: readonly CustomerSite[]) => step('sites', { sites: sites.map(({ id }) => id) })

export const overdueOf = (invoices: readonly OpenInvoice[]): string[] =>
  invoices.filter((invoice) => invoice.is_overdue).map((invoice) => invoice.id)

/** What is done, in order, and what it reaches. The preview tells it, and a run does it. */
export function planOf(options: Options, situation: Situation): Plan {
  const { subscriptions, openInvoices, paused, customer, liveSites, takenSites } = situation
  switch (options.kind) {
    case 'suspend': {
      const reached = subscriptions.map((subscription) => reachOfPause(subscription, options.billing))
      const awaited = options.reason === 'non_payment' ? overdueOf(openInvoices) : []
      const pauses = about('pause', reached, () => options.billing)
      const mail = options.notice ? [step('mail')] : []
      return {
        steps: [step('record', { awaited }), ...pauses, aboutSites(liveSites), ...mail],
        reached,
        sites: liveSites,
      }
    }
    case 'unsuspend': {
      const reached = subscriptions.map((subscription) => reachOfResume(subscription, paused.get(subscription.id)))
      const resumes = about('resume', reached, (id) => paused.get(id))
      const mail = options.notice ? [step('mail')] : []
      return { steps: [...resumes, aboutSites(takenSites), step('record'), ...mail], reached, sites: takenSites }
    }
    case 'delete': {
      const ends = options.atStripe && !customer.is_gone
      const reached = subscriptions.map((subscription): Reached => {
        if (!ends) return asItIs(subscription, 'Keeps running at Stripe, billed as before')
        return { subscription, change: 'cancelled', note: null, counts: false }
      })
      return {
        steps: [
          step('record'),
          ...(ends ? [step('delete_at_stripe', { subscriptions: subscriptions.map(({ id }) => id) })] : []),
          aboutSites(liveSites),
        ],
        reached,
        sites: liveSites,
      }
    }
    case 'erase':
      return {
        ...{ steps: [step('erase')], sites: [] },
        reached: subscriptions.map((subscription) => asItIs(subscription, null)),
      }
  }
}
