import type { List, RowsOf } from '../../../platform/keyset.ts'
import { byGrams, customerMatches, type SearchTerm, searchTerm } from '../../billing/index.ts'

const near = 4000

/** From three letters on the planner knows how frequent a term is, and takes the order or the trigrams. */
const planned =
  (term: SearchTerm): RowsOf =>
  ({ order }, { where, orderBy, take }) => ({
    ids: true,
    text: `select c.id, ${order.key} as sort_key from ${order.from}
      ${where === '' ? 'where' : `${where} and`} ${customerMatches(term)} order by ${orderBy} limit ${take}`,
  })

/**
 * One and two letters are mostly frequent: they fill a page from the first rows of the order. If not they are rare, and
 * their own index finds all of them.
 */
const nearThenAll =
  (term: SearchTerm): RowsOf =>
  ({ order }, { where, orderBy, direction, take }) => {
    const first = `order by sort_key ${direction}, id ${direction} limit ${take}`
    const and = where === '' ? 'where' : `${where} and`
    return {
      ids: true,
      text: `with near as materialized (
        select c.id, ${order.key} as sort_key, ${customerMatches(term)} as hit
        from ${order.from} ${where} order by ${orderBy} limit ${near}
      ), enough as materialized (
        select count(*) filter (where hit) >= ${take} or count(*) < ${near} as yes from near
      )
      select id, sort_key from (
        (select id, sort_key from near where hit and (select yes from enough) ${first})
        union all
        (select c.id, ${order.key} as sort_key from ${order.from}
          ${and} not (select yes from enough) and ${byGrams(term)} and ${customerMatches(term)}
          order by ${orderBy} limit ${take})
      ) found ${first}`,
    }
  }

/** Customers by name, email, company or id. */
export function searchCustomers(list: List, search: string | undefined): RowsOf | undefined {
  const term = searchTerm(list.values, search)
  if (!term) return undefined
  return term.hasTrigram ? planned(term) : nearThenAll(term)
}
