import { type RawBuilder, sql } from 'kysely'

/** What a customer pays now, and since when. */
export type Paying = {
  money: { currency: string; amount: number }[]
  payingSince: Date
  paySeenAt: Date
  subscriptionId: string
  subscriptionIds: string
  plan: string | null
}

export const payingColumns = sql`pay.money, pay."payingSince", pay."paySeenAt", pay."subscriptionId",
  pay."subscriptionIds", pay.plan`

/**
 * A lateral `pay`, one row: null where the customer pays nothing now. Trials, paused collections, discounts of everything and
 * payments that are being tried again are no payment. `until`: still paying then, as far as is known.
 */
export const paying = (customer: RawBuilder<unknown>, until: RawBuilder<unknown> = sql`null::timestamptz`) => sql`
  (
    select json_agg(json_build_object('currency', m.currency, 'amount', m.amount) order by m.amount desc, m.currency)
        as money,
      min(m.since) as "payingSince", max(m.seen) as "paySeenAt",
      (array_agg(m.id order by m.amount desc, m.id))[1] as "subscriptionId",
      (array_agg(m.plan order by m.amount desc, m.id))[1] as plan,
      string_agg(m.ids, ',' order by m.ids) as "subscriptionIds"
    from (
      select u.currency, round(sum(u.mrr))::bigint as amount, min(coalesce(u.running_from, u.created_at)) as since,
        max(u.fetched_at) as seen, (array_agg(u.id order by u.mrr desc, u.id))[1] as id,
        (array_agg(coalesce(u.plan_nickname, p.name) order by u.mrr desc, u.id))[1] as plan,
        string_agg(u.id, ',' order by u.id) as ids
      from subscriptions u left join products p on p.id = u.product_id
      where u.customer_id = ${customer} and u.deleted_at is null and u.status = 'active' and u.mrr > 0
        and u.pause_collection is null
        and (u.cancel_at <= ${until} or (u.cancel_at_period_end and u.current_period_end <= ${until})) is not true
      group by u.currency
    ) m
  )`
