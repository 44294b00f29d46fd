import type { List, RowsOf } from '../../../platform/keyset.ts'
import { nearThenGroups } from './search-rows.ts'
import { byGrams, escapePattern, ownerMatches, searchTerm } from './search-term.ts'

const near = 2000

/** Subscriptions by the name or email of their customer, by the name of their plan, or by the beginning of their id. */
export function searchSubscriptions(list: List, search: string | undefined): RowsOf | undefined {
  const term = searchTerm(list.values, search)
  if (!term) return undefined
  const direct = /^sub_\w+$/.test(term.raw) ? [`s.id like ${list.values.add(`${escapePattern(term.raw)}%`)}`] : []
  const unnamed = `search_fold(coalesce(s.plan_nickname, s.price_id, 'Unknown plan'))`
  return nearThenGroups(near, {
    joins: `left join customer_search cs on cs.customer_id = s.customer_id
      left join (
        with plan as materialized (select id, search_fold(nullif(name, '')) as doc from products) select * from plan
      ) plan on plan.id = s.product_id`,
    hit: [`(${ownerMatches(term)})`, `coalesce(plan.doc, ${unnamed}) like ${term.pattern}`, ...direct].join(' or '),
    groups: [
      {
        found: `select cs.customer_id as value from customer_search cs where ${byGrams(term)} and ${ownerMatches(term)}`,
        owns: (value) => `s.customer_id = ${value}`,
      },
      {
        // Plans that were ever sold are few. One whose product is not known (yet) is told by each of its subscriptions.
        found: `select plan.id as value from (select distinct product_id as id from subscription_totals) plan
          left join products product on product.id = plan.id
          where coalesce(product.name, '') = '' or search_fold(product.name) like ${term.pattern}`,
        owns: (value) => `s.product_id = ${value} and (
          exists (select from products where id = ${value} and name <> '') or ${unnamed} like ${term.pattern})`,
      },
    ],
    direct: [...direct, `s.product_id is null and ${unnamed} like ${term.pattern}`],
  })
}
