import type { List, RowsOf } from '../../../platform/keyset.ts'
import { byOwners } from './search-owners.ts'
import { searchRows } from './search-rows.ts'
import { escapePattern, findsOwners, ownerMatches, searchTerm } from './search-term.ts'

/** Ids are found by their beginning: nobody remembers the middle of one, and it would need an index of a million ids. */
function idConditions(list: List, raw: string): string[] {
  if (!/^(pi|py|ch)_\w+$/.test(raw)) return []
  const beginning = list.values.add(`${escapePattern(raw)}%`)
  return [`p.id like ${beginning}`, `p.latest_charge_id = ${list.values.add(raw)}`]
}

/** Payments by the name or email of their customer, by description, or by id. */
export function searchPayments(list: List, search: string | undefined): RowsOf | undefined {
  const term = searchTerm(list.values, search)
  if (!term) return undefined
  const direct = idConditions(list, term.raw)
  // A subquery with a limit is asked row by row; a join or `exists` may be turned into a scan of all customers.
  const hits = [
    `(select true from customer_search cs where cs.customer_id = p.customer_id and ${ownerMatches(term)} limit 1)`,
    `search_fold(p.description) like ${term.pattern}`,
    ...direct,
  ]
  return searchRows({
    sample: 400,
    frequent: 6,
    atMost: 8000,
    scan: (
      { order },
      { where, orderBy },
      limit,
    ) => `select p.id, p.sort_key, coalesce(${hits.join(' or ')}, false) as hit
      from (select p.*, ${order.key} as sort_key from ${order.from} ${where} order by ${orderBy} limit ${limit}) p`,
    indexed: byOwners(
      [
        {
          found: `select cs.customer_id as value from customer_search cs where ${findsOwners(term)}`,
          owns: (value) => `p.customer_id = ${value}`,
        },
        {
          found: `select d.hash as value from payment_descriptions d where d.doc like ${term.pattern}`,
          owns: (value) => `p.description is not null and hashtextextended(p.description, 0) = ${value}`,
        },
      ],
      direct,
    ),
  })
}
