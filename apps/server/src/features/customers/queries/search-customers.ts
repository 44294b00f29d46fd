import type { List, RowsOf } from '../../../platform/keyset.ts'
import { customerMatches, findsCustomers, searchRows, searchTerm } from '../../billing/index.ts'

/** Customers by name, email, company or id. */
export function searchCustomers(list: List, search: string | undefined): RowsOf | undefined {
  const term = searchTerm(list.values, search)
  if (!term) return undefined
  const { from, key, id } = list.order
  const isInDocuments = from.includes('customer_search cs')
  const matches = customerMatches(term)
  // A subquery with a limit is asked row by row; a join may be turned into a scan of all documents.
  const hit = isInDocuments
    ? matches
    : `coalesce((select ${matches} from customer_search cs where cs.customer_id = ${id} limit 1), false)`
  const withDocuments = isInDocuments ? from : `${from} join customer_search cs on cs.customer_id = ${id}`
  return searchRows({
    sample: 600,
    frequent: 20,
    atMost: 10_000,
    scan: (_list, { where, orderBy }, limit) =>
      `select ${id} as id, ${key} as sort_key, ${hit} as hit from ${from} ${where} order by ${orderBy} limit ${limit}`,
    // Without `offset 0` the planner would go along the order after all, and filter.
    indexed: (_list, { where, direction, take }, go) => `select id, sort_key from (
        select ${id} as id, ${key} as sort_key from ${withDocuments}
        ${where === '' ? 'where' : `${where} and`} ${findsCustomers(term)} and ${go} offset 0
      ) matching order by sort_key ${direction}, id ${direction} limit ${take}`,
  })
}
