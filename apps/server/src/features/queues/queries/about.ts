import type { Pool } from 'pg'
import { runStatement, Values } from '../../../platform/statements.ts'
import { customerMatches, searchTerm } from '../../billing/index.ts'

/** Of each kind so many, the newest: a search that stands for everything finds by words. */
const most = 300
const newest = (columns: string, from: string): string =>
  `(select ${columns} from ${from} order by created_at desc limit ${most})`

/** What belongs to the customers and sites that a search finds: jobs name one of these ids. */
export async function findAbout(pool: Pool, search: string | undefined): Promise<string[]> {
  const values = new Values()
  const term = searchTerm(values, search)
  if (!term) return []
  const text = `with people as materialized (
    select cs.customer_id as id from customer_search cs where ${customerMatches(term)} limit 20
  ), places as materialized (
    (select s.id from sites s where s.doc like ${term.pattern} limit 20)
    union (select s.id from sites s where s.customer_id in (select id from people) limit ${most})
  ), owned as (
    select id from people
    union all select id from places
    union all ${newest('id', 'subscriptions where customer_id in (select id from people)')}
    union all ${newest('id', 'payments where customer_id in (select id from people)')}
    union all ${newest('id', 'invoices where customer_id in (select id from people)')}
    union all (select id from report_schedules where customer_id in (select id from people) limit ${most})
    union all ${newest(
      'm.id',
      `mails m where m.user_id is null and lower(m.to_address) in (
        select lower(c.email) from customers c where c.id in (select id from people)
      )`,
    )}
  )
  select id from owned
  union all ${newest('id', 'money_actions where target_id in (select id from owned)')}`
  const rows = await runStatement<{ id: string }>(pool, { text, values: values.list })
  return rows.map(({ id }) => id)
}
