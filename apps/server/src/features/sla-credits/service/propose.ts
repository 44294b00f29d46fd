import type { CreditLine, SlaCredit } from '@agency/contract/sla-credits'
import type { AppContext } from '../../../context.ts'
import { notFound } from '../../../platform/errors.ts'
import { findIncidentRow, type IncidentRow } from '../../incidents/index.ts'
import { findSecondsIn } from '../../monitoring/index.ts'
import { lineOf, monthsOf, type SiteMonth } from '../credit.ts'
import {
  type AffectedSite,
  type CustomerFacts,
  findAffectedSites,
  findCustomers,
  findGiven,
  findGivenBefore,
  findPromised,
  findSeenFrom,
  type GivenRow,
  type PromisedSubscription,
} from '../queries/credits.ts'

type Ctx = Pick<AppContext, 'db' | 'clock'>

type Measured = { months: Map<string, Map<string, SiteMonth>>; isExact: boolean }

const earlier = (a: Date, b: Date): Date => (a < b ? a : b)
const later = (a: Date, b: Date): Date => (a > b ? a : b)

/** What counts of each affected site in each month that the incident lies in. */
async function measure(ctx: Ctx, sites: readonly AffectedSite[], window: { from: Date; to: Date }): Promise<Measured> {
  const now = new Date(ctx.clock())
  const ids = sites.map(({ site_id }) => site_id)
  const months: Measured['months'] = new Map()
  let isExact = true
  for (const { month, from, to } of monthsOf(window.from, window.to)) {
    const within = { from: later(window.from, from), to: earlier(window.to, to) }
    const whole = await findSecondsIn(ctx, ids, { from, to: earlier(now, to) })
    const before = await findSecondsIn(ctx, ids, { from, to: within.from })
    const during = await findSecondsIn(ctx, ids, within)
    isExact &&= before.isExact && during.isExact
    const left = Math.max(0, Math.round((to.getTime() - now.getTime()) / 1000))
    const of = sites.map(({ site_id, domain }): [string, SiteMonth] => [
      site_id,
      {
        site: domain,
        incident_down_seconds: during.seconds.get(site_id)?.down_seconds ?? 0,
        earlier_down_seconds: before.seconds.get(site_id)?.down_seconds ?? 0,
        counted_seconds: (whole.seconds.get(site_id)?.known_seconds ?? 0) + left,
      },
    ])
    months.set(month, new Map(of))
  }
  return { months, isExact }
}

function linesOf(
  { months }: Measured,
  sites: readonly AffectedSite[],
  promised: readonly PromisedSubscription[],
  givenBefore: ReadonlyMap<string, number>,
): CreditLine[] {
  return promised.flatMap(({ customer_id: _, currency: __, ...subscription }) =>
    [...months].flatMap(([month, of]) => {
      const own = sites.flatMap(({ site_id }) => of.get(site_id) ?? [])
      return lineOf(month, own, subscription, givenBefore.get(`${subscription.subscription_id} ${month}`) ?? 0) ?? []
    }),
  )
}

const nothing = { amount: 0, currency: null, lines: [], action_id: null, given_at: null, given_by: null }

function asGiven({ id, name }: CustomerFacts, row: GivenRow): SlaCredit {
  const isDone = row.state === 'done'
  return {
    ...{ customer_id: id, name, state: isDone ? 'given' : 'in_progress', reason: null },
    ...{ amount: row.amount, currency: row.currency, lines: row.lines, action_id: row.action_id },
    ...{ given_at: row.finished_at?.toISOString() ?? null, given_by: row.created_by },
  }
}

function blockOf(incident: IncidentRow, customer: CustomerFacts, currencies: readonly string[]): string | null {
  if (incident.resolved_at === null) return 'The incident is ongoing'
  if (customer.is_deleted) return 'Deleted at Stripe'
  if (currencies.length > 1) return 'Subscriptions in several currencies: credit at Stripe'
  if (customer.currency !== null && customer.currency !== currencies[0])
    return `Pays in ${customer.currency.toUpperCase()}: Stripe takes no credit in another currency`
  return null
}

function propose(
  incident: IncidentRow,
  customer: CustomerFacts,
  promised: readonly PromisedSubscription[],
  lines: CreditLine[],
): SlaCredit {
  const base = { ...nothing, customer_id: customer.id, name: customer.name, lines }
  const amount = lines.reduce((sum, line) => sum + line.amount, 0)
  const reason = (state: SlaCredit['state'], text: string): SlaCredit => ({ ...base, state, reason: text })
  if (promised.length === 0) return reason('none', 'No plan with an uptime promise')
  if (lines.length === 0) return reason('none', 'No confirmed downtime')
  if (amount === 0) {
    const isUsedUp = lines.some((line) => line.given_before > 0 && line.credit_percent > line.earlier_credit_percent)
    return reason('none', isUsedUp ? 'Already credited in full this month' : 'Within the promise')
  }
  const currencies = [...new Set(promised.map(({ currency }) => currency))]
  const block = blockOf(incident, customer, currencies)
  const owed = { ...base, amount, currency: currencies.length === 1 ? (currencies[0] ?? null) : null }
  return block === null ? { ...owed, state: 'proposed', reason: null } : { ...owed, state: 'blocked', reason: block }
}

export type Proposals = { incident: IncidentRow; credits: SlaCredit[]; isExact: boolean }

/** What the affected customers are owed, by the figures as they are now; what was given stays as it was. */
export async function proposeCredits(ctx: Ctx, incidentId: string, onlyFor?: string): Promise<Proposals> {
  const incident = await findIncidentRow(ctx, incidentId)
  if (!incident) throw notFound(`Incident ${incidentId}`)
  const affected = await findAffectedSites(ctx, incidentId)
  const sites = affected.filter(({ customer_id }) => onlyFor === undefined || customer_id === onlyFor)
  const given = await findGiven(ctx, incidentId)
  const givenOf = new Map(given.map((row) => [row.customer_id, row]))
  const ids = [...new Set([...sites.map(({ customer_id }) => customer_id), ...givenOf.keys()])]
  const seenFrom = await findSeenFrom(ctx, incidentId)
  const from = seenFrom === null ? incident.opened_at : earlier(seenFrom, incident.opened_at)
  const window = { from, to: incident.resolved_at ?? new Date(ctx.clock()) }
  const customers = await findCustomers(ctx, ids)
  const promised = await findPromised(ctx, ids, incident.opened_at)
  const givenBefore = await findGivenBefore(ctx, ids, incidentId)
  const measured = await measure(ctx, sites, window)
  const credits = customers.map((customer): SlaCredit => {
    const row = givenOf.get(customer.id)
    if (row) return asGiven(customer, row)
    const own = sites.filter(({ customer_id }) => customer_id === customer.id)
    const subscriptions = promised.filter(({ customer_id }) => customer_id === customer.id)
    return propose(incident, customer, subscriptions, linesOf(measured, own, subscriptions, givenBefore))
  })
  return { incident, credits, isExact: measured.isExact }
}
