import type { MovementKind } from '@agency/contract/types'

const order: readonly MovementKind[] = ['new', 'expansion', 'reactivation', 'contraction', 'churn']
const running = 'sum(m.after - m.before) over (order by m.at, m.customer_id rows between unbounded preceding and'

/**
 * Movements of a kind. What each shows is the difference of two rounded running sums, which begin where the bar of the kind
 * does: so they add up to the bar, and each is within one minor unit of what it is exactly.
 */
export function movementRows(kind: MovementKind): string {
  const isLoss = kind === 'contraction' || kind === 'churn'
  const before = order.slice(0, order.indexOf(kind)).map((one) => `'${one}'`)
  const earlier =
    before.length === 0
      ? ''
      : `
      + coalesce((
        select sum(m.after - m.before) from mrr_movements m
        where m.currency = $3 and m.at >= $1 and m.at < $2 and m.kind in (${before.join(', ')})
      ), 0)`
  return `select m.customer_id || ':' || iso_utc(m.at) as id, 'movement' as kind,
      case when m.subscription_id is null then 'customer' else 'subscription' end as opens_kind,
      coalesce(m.subscription_id, m.customer_id) as opens_id, m.at, m.customer_id,
      '${kind.charAt(0).toUpperCase()}${kind.slice(1)}' as text,
      ${isLoss ? '-' : ''}(
        round_half_even(b.start + ${running} current row))
        - round_half_even(b.start + coalesce(${running} 1 preceding), 0))
      ) as amount, m.reconstructed
    from (
      select coalesce((
        select sum(h.amount) from mrr_hours h where h.currency = $3 and h.hour < date_trunc('hour', $1::timestamptz, 'UTC')
      ), 0)
      + coalesce((
        select sum(m.after - m.before) from mrr_movements m
        where m.currency = $3 and m.at >= date_trunc('hour', $1::timestamptz, 'UTC') and m.at < $1
      ), 0)${earlier} as start
    ) b
    cross join mrr_movements m
    where m.currency = $3 and m.kind = '${kind}' and m.at >= $1 and m.at < $2`
}

/** What each customer pays a month at a moment; cut off a running sum too, so that they add up to the bar. */
export const rowsAt = (
  moment: '$1' | '$2',
): string => `select m.customer_id as id, 'customer' as kind, 'customer' as opens_kind,
      m.customer_id as opens_id, m.at, m.customer_id, 'MRR' as text,
      round_half_even(sum(m.after) over w) - round_half_even(sum(m.after) over w - m.after) as amount, m.reconstructed
    from (
      select distinct on (customer_id) customer_id, at, after, reconstructed from mrr_movements
      where currency = $3 and at < ${moment} and $1::timestamptz is not null and $2::timestamptz is not null
      order by customer_id, at desc
    ) m
    where m.after <> 0 window w as (order by m.customer_id)`

const total = 'sum(s.mrr) over (order by s.id rows between unbounded preceding and'

/** Subscriptions with what they pay a month now, rounded as their sum is. */
export const subscriptionRows = (
  where: string,
): string => `select s.id, 'subscription' as kind, 'subscription' as opens_kind,
      s.id as opens_id, null::timestamptz as at, s.customer_id, coalesce(p.name, s.plan_nickname, 'Subscription') as text,
      round_half_even(${total} current row)) - round_half_even(coalesce(${total} 1 preceding), 0)) as amount,
      false as reconstructed
    from subscriptions s left join products p on p.id = s.product_id
    where s.mrr <> 0 and s.deleted_at is null and s.currency = $3 and ${where}
      and $1::timestamptz is not null and $2::timestamptz is not null`
