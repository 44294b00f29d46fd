import { sql } from 'kysely'
import type { AppContext } from '../../../context.ts'
import type { Days } from '../days.ts'

type Db = Pick<AppContext, 'db'>

/** null until the first import is complete: then nobody knows how many there are. */
export async function countActiveCustomers({ db }: Db): Promise<number | null> {
  const { rows } = await sql<{ active: number | null }>`
    select case when mirror_as_of() is null then null else (
      select coalesce(sum(customers), 0)::integer from customer_counts where is_live and status <> 'deleted'
    ) end as active`.execute(db)
  return rows[0]?.active ?? null
}

/** How many of today's customers were there already at the end of each day. */
export async function findCustomerGrowth(
  { db }: Db,
  { first, last }: Days,
): Promise<{ date: string; customers: number }[]> {
  const { rows } = await sql<{ date: string; customers: number }>`
    select d.day::date::text as date, (
      coalesce((select sum(created) from daily_customers where day < ${first}::date), 0)
      + sum(coalesce(c.created, 0)) over (order by d.day)
    )::integer as customers
    from generate_series(${first}::date, ${last}::date, interval '1 day') d(day)
    left join daily_customers c on c.day = d.day::date
    where mirror_as_of() is not null order by d.day`.execute(db)
  return rows
}
