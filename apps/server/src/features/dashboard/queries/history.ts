import type { Pool } from 'pg'
import { runStatement } from '../../../platform/statements.ts'

type Day = { value: number | null }

/** `$1`: the last day, `$2`: how many. */
const days = `generate_series($1::date - ($2::integer - 1), $1::date, interval '1 day')::date`

const read = async (pool: Pool, text: string, values: readonly unknown[]): Promise<(number | null)[]> =>
  (await runStatement<Day>(pool, { text, values, prepare: true })).map(({ value }) => value)

const firstDay = '($1::date - ($2::integer - 1))'
const start = `(${firstDay}::timestamp at time zone 'UTC')`

/** At the end of each day. Before the first site was entered here nothing is known. */
const sitesText = `with d as (select ${days} as day),
  base as (
    select count(*) filter (where created_at < ${start}) - count(*) filter (where deleted_at < ${start}) as sites,
      (min(created_at) at time zone 'UTC')::date as first
    from sites
  ),
  moves as (
    select day, sum(change) as change from (
      select (created_at at time zone 'UTC')::date as day, 1 as change from sites where created_at >= ${start}
      union all
      select (deleted_at at time zone 'UTC')::date, -1 from sites where deleted_at >= ${start}
    ) m group by day
  )
  select case when d.day >= base.first
    then (base.sites + coalesce(sum(m.change) over (order by d.day), 0))::integer end as value
  from d cross join base left join moves m on m.day = d.day order by d.day`

/** Before its first import is complete nothing that is read from the mirror is known. */
const mirrored = '(select mirror_as_of() is not null as is_known offset 0) mirror'

const subscriptionsText = `with d as (select ${days} as day),
  base as (select coalesce(sum(started - ended), 0) as running from daily_subscriptions where day < ${firstDay}),
  moves as (
    select day, sum(started - ended) as change from daily_subscriptions where day >= ${firstDay} group by day
  )
  select case when mirror.is_known
    then (base.running + coalesce(sum(m.change) over (order by d.day), 0))::integer end as value
  from d cross join base cross join ${mirrored} left join moves m on m.day = d.day order by d.day`

const revenueText = `with d as (select ${days} as day)
  select case when mirror.is_known then coalesce(r.net, 0) end as value
  from d cross join ${mirrored} left join daily_revenue r on r.day = d.day and r.currency = $3 order by d.day`

const customersText = `with d as (select ${days} as day)
  select case when mirror.is_known then coalesce(c.created, 0) end as value
  from d cross join ${mirrored} left join daily_customers c on c.day = d.day order by d.day`

const uptimeText = `with d as (select ${days} as day)
  select case when s.known > 0 then round(100.0 * (s.known - s.down) / s.known, 3)::double precision end as value
  from d left join (
    select day, sum(known_seconds) as known, sum(down_seconds) as down from service_days
    where day >= ${firstDay} group by day
  ) s on s.day = d.day order by d.day`

export const findSitesByDay = (pool: Pool, last: string, count: number) => read(pool, sitesText, [last, count])
export const findSubscriptionsByDay = (pool: Pool, last: string, count: number) =>
  read(pool, subscriptionsText, [last, count])
export const findRevenueByDay = (pool: Pool, last: string, count: number, currency: string) =>
  read(pool, revenueText, [last, count, currency])
export const findCustomersByDay = (pool: Pool, last: string, count: number) => read(pool, customersText, [last, count])
export const findUptimeByDay = (pool: Pool, last: string, count: number) => read(pool, uptimeText, [last, count])

export async function findCurrency(pool: Pool): Promise<string> {
  const [row] = await runStatement<{ currency: string }>(pool, {
    ...{ text: 'select default_currency() as currency', values: [], prepare: true },
  })
  return row?.currency ?? 'usd'
}
