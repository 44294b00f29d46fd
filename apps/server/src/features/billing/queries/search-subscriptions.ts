import type { List, RowsOf } from '../../../platform/keyset.ts'
import { byOwners } from './search-owners.ts'
import { searchRows } from './search-rows.ts'
import { escapePattern, findsOwners, ownerMatches, searchTerm } from './search-term.ts'

/** Subscriptions by the name or email of their customer, by the name of their plan, or by the beginning of their id. */
export function searchSubscriptions(list: List, search: string | undefined): RowsOf | undefined {
  const term = searchTerm(list.values, search)
  if (!term) return undefined
  const byId = /^sub_\w+$/.test(term.raw) ? [`s.id like ${list.values.add(`${escapePattern(term.raw)}%`)}`] : []
  const unnamed = `search_fold(coalesce(s.plan_nickname, s.price_id, 'Unknown plan'))`
  const products = (condition: string) => `s.product_id = any (array(select id from products where ${condition}))`
  const hits = [
    products(`search_fold(name) like ${term.pattern}`),
    `(${products(`name <> ''`)}) is not true and ${unnamed} like ${term.pattern}`,
    `(select true from customer_search cs where cs.customer_id = s.customer_id and ${ownerMatches(term)} limit 1)`,
    ...byId,
  ]
  return searchRows({
    sample: 300,
    frequent: 9,
    atMost: 6000,
    scan: (
      { order },
      { where, orderBy },
      limit,
    ) => `select s.id, s.sort_key, coalesce(${hits.join(' or ')}, false) as hit
      from (select s.*, ${order.key} as sort_key from ${order.from} ${where} order by ${orderBy} limit ${limit}) s`,
    indexed: byOwners(
      [
        {
          found: `select cs.customer_id as value from customer_search cs where ${findsOwners(term)}`,
          owns: (value) => `s.customer_id = ${value}`,
        },
        {
          // Plans that were ever sold are few. One whose product is not known (yet) is told by each of its subscriptions.
          found: `select plan.id as value from (select distinct product_id as id from subscription_totals) plan
            left join products product on product.id = plan.id
            where (coalesce(product.name, '') = '' or search_fold(product.name) like ${term.pattern})`,
          owns: (value) => `s.product_id = ${value} and (
            exists (select from products where id = ${value} and name <> '') or ${unnamed} like ${term.pattern})`,
        },
      ],
      [...byId, `s.product_id is null and ${unnamed} like ${term.pattern}`],
    ),
  })
}
