import type { List, RowsOf } from '../../../platform/keyset.ts'
import { nearThenGroups } from './search-rows.ts'
import { byGrams, escapePattern, ownerMatches, searchTerm } from './search-term.ts'

const near = 2000

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
  return nearThenGroups(near, {
    joins: `left join customer_search cs on cs.customer_id = p.customer_id
      left join payment_descriptions pd on pd.hash = hashtextextended(p.description, 0)`,
    hit: [`(${ownerMatches(term)})`, `pd.doc like ${term.pattern}`, ...direct].join(' or '),
    groups: [
      {
        found: `select cs.customer_id as value from customer_search cs where ${byGrams(term)} and ${ownerMatches(term)}`,
        owns: (value) => `p.customer_id = ${value}`,
      },
      {
        found: `select pd.hash as value from payment_descriptions pd where pd.doc like ${term.pattern}`,
        owns: (value) => `p.description is not null and hashtextextended(p.description, 0) = ${value}`,
      },
    ],
    direct,
  })
}
