import { sql } from 'kysely'
import type { AppContext } from '../../../context.ts'
import type { Condition, RulesInForce } from '../condition.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
/** More than usual is so many times the mean of an hour in the week before. */
const timesUsual = 3
const usualHours = 7 * 24

const billing = { subject: 'billing' as const, siteIds: [] }

async function findLag({ db, clock }: AppContext, minutes: number): Promise<Condition[]> {
  const { rows } = await sql<{ waiting: number; oldest: Date | null }>`
    select count(*) as waiting, min(received_at) as oldest from webhook_events where state = 'pending'`.execute(db)
  const oldest = rows[0]?.oldest
  if (!oldest || clock() - oldest.getTime() <= minutes * minuteMs) return []
  const waited = Math.round((clock() - oldest.getTime()) / minuteMs)
  return [
    {
      ...billing,
      ...{ rule: 'stripe.webhook_lag', subjectId: 'webhooks', subjectName: 'Stripe events', link: '/admin/health' },
      title: 'Events from Stripe are applied late',
      detail: `${rows[0]?.waiting} waiting, the oldest for ${waited} minutes`,
    },
  ]
}

async function findStale({ db, clock }: AppContext, minutes: number): Promise<Condition[]> {
  const { rows } = await sql<{ message: string; since: Date }>`
    select message, since from provider_problems where provider = 'stripe' and since < ${new Date(clock() - minutes * minuteMs)}
    order by since limit 1`.execute(db)
  const problem = rows[0]
  if (!problem) return []
  return [
    {
      ...billing,
      ...{ rule: 'stripe.mirror_stale', subjectId: 'mirror', subjectName: 'Stripe copy', link: '/admin/health' },
      title: 'The copy of Stripe is out of date',
      detail: problem.message,
    },
  ]
}

async function findSpike({ db, clock }: AppContext, fewest: number): Promise<Condition[]> {
  const now = clock()
  const hourAgo = new Date(now - hourMs)
  const { rows } = await sql<{ failed: number; before: number }>`
    select count(*) filter (where created_at >= ${hourAgo}) as failed,
      count(*) filter (where created_at < ${hourAgo}) as before
    from payments where counts_as_failed and deleted_at is null
      and created_at >= ${new Date(now - (usualHours + 1) * hourMs)}`.execute(db)
  const { failed = 0, before = 0 } = rows[0] ?? {}
  if (failed < fewest || failed < (timesUsual * before) / usualHours) return []
  return [
    {
      ...billing,
      ...{ rule: 'payments.failed_spike', subjectId: 'payments', subjectName: 'Payments' },
      link: '/admin/payments?status=failed',
      title: `${failed} payments failed within an hour`,
      detail: `Usual in the last week: ${(before / usualHours).toFixed(1)} per hour`,
    },
  ]
}

export async function findBillingConditions(ctx: AppContext, rules: RulesInForce): Promise<Condition[]> {
  const thresholdOf = (key: string) => rules.get(key)?.value ?? null
  const [lag, stale, spike] = [
    thresholdOf('stripe.webhook_lag'),
    thresholdOf('stripe.mirror_stale'),
    thresholdOf('payments.failed_spike'),
  ]
  const found = await Promise.all([
    lag === null ? [] : findLag(ctx, lag),
    stale === null ? [] : findStale(ctx, stale),
    spike === null ? [] : findSpike(ctx, spike),
  ])
  return found.flat()
}
