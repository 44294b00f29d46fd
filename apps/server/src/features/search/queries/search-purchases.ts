import type { List, RowsOf } from '../../../platform/keyset.ts'
import { searchRows, searchTerm } from '../../billing/index.ts'

const words = 'purchase_words(s.metadata, s.customer_email)'

/** Purchases by the name of the site or by email. */
export function searchPurchases(list: List, search: string | undefined): RowsOf | undefined {
  const term = searchTerm(list.values, search)
  if (!term) return undefined
  const hit = `${words} like ${term.pattern}`
  // In the letters of the index only the signs of LIKE need a backslash.
  const letters = `('%' || regexp_replace(audit_digits(${term.text}), '([%_])', '\\\\\\1', 'g') || '%')`
  return searchRows({
    sample: 300,
    frequent: 9,
    atMost: 6000,
    scan: ({ order }, { where, orderBy }, limit) =>
      `select s.id, s.sort_key, ${hit} as hit
      from (select s.*, ${order.key} as sort_key from ${order.from} ${where} order by ${orderBy} limit ${limit}) s`,
    // Without `offset 0` the planner would go along the order after all, and filter.
    indexed: ({ order }, { where, direction, take }, go) => `select id, sort_key from (
        select ${order.id} as id, ${order.key} as sort_key from ${order.from}
        ${where} and purchase_index_words(s.metadata, s.customer_email) like ${letters} and ${hit} and ${go} offset 0
      ) matching order by sort_key ${direction}, id ${direction} limit ${take}`,
  })
}
