import type { CreditLine, UptimePromise } from '@agency/contract/sla-credits'

/** One affected site in one calendar month. */
export type SiteMonth = {
  site: string
  incident_down_seconds: number
  earlier_down_seconds: number
  counted_seconds: number
}

export type Promised = {
  subscription_id: string
  plan_name: string
  promise_version: number
  promise: UptimePromise
  /** A month of it, in minor units. */
  price: number
}

/** In whole numbers, so that the border of a tier is on one side everywhere. */
const isBelow = (border: number, counted: number, down: number): boolean =>
  (counted - down) * 100_000 < Math.round(border * 1000) * counted

/** What a month with so much downtime is worth: the last tier that it has fallen below. */
export function creditPercentOf({ tiers }: UptimePromise, counted: number, down: number): number {
  if (counted <= 0 || down <= 0) return 0
  return tiers.reduce((percent, tier) => (isBelow(tier.below, counted, down) ? tier.credit_percent : percent), 0)
}

/** Rounded down to three decimals: what missed its promise never reads as kept. */
const percentOf = (counted: number, down: number): number =>
  counted <= 0 ? 100 : Math.floor(((counted - down) * 100_000) / counted) / 1000

function percentsOf(promise: UptimePromise, site: SiteMonth) {
  const { counted_seconds: counted, earlier_down_seconds: earlier, incident_down_seconds: within } = site
  // What is not counted as known cannot be down.
  const down = Math.min(counted, earlier + within)
  return {
    uptime_percent: percentOf(counted, down),
    credit_percent: creditPercentOf(promise, counted, down),
    earlier_credit_percent: creditPercentOf(promise, counted, Math.min(counted, earlier)),
  }
}

/**
 * What one subscription is owed for one month: the price times what the month's uptime is worth more with this incident than
 * without it, of the site for which that is most; all credits of a month together never exceed its price.
 */
export function lineOf(
  month: string,
  sites: readonly SiteMonth[],
  { promise, ...promised }: Promised,
  givenBefore: number,
): CreditLine | null {
  const [worst] = sites
    .filter(({ incident_down_seconds }) => incident_down_seconds > 0)
    .map((site) => ({ ...site, ...percentsOf(promise, site) }))
    .sort(
      (a, b) =>
        b.credit_percent - b.earlier_credit_percent - (a.credit_percent - a.earlier_credit_percent) ||
        a.uptime_percent - b.uptime_percent ||
        b.incident_down_seconds - a.incident_down_seconds ||
        (a.site < b.site ? -1 : 1),
    )
  if (!worst) return null
  const owed = Math.floor((promised.price * (worst.credit_percent - worst.earlier_credit_percent)) / 100)
  return {
    ...promised,
    ...worst,
    month,
    promised_percent: promise.percent,
    given_before: givenBefore,
    amount: Math.max(0, Math.min(owed, promised.price - givenBefore)),
  }
}

/** The calendar months in UTC that a span lies in. */
export function monthsOf(from: Date, to: Date): { month: string; from: Date; to: Date }[] {
  const months: { month: string; from: Date; to: Date }[] = []
  let start = Date.UTC(from.getUTCFullYear(), from.getUTCMonth(), 1)
  while (start < to.getTime() || months.length === 0) {
    const first = new Date(start)
    const next = Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 1)
    months.push({ month: first.toISOString().slice(0, 7), from: first, to: new Date(next) })
    start = next
  }
  return months
}
