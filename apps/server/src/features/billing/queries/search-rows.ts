import type { List, PageRows, Reading, RowsOf } from '../../../platform/keyset.ts'

export type SearchPlan = {
  /** Rows that are looked at first; how many of them match tells how frequent the term is. */
  sample: number
  /** From so many matches in the sample on, going on in the order finds a page sooner than the index. */
  frequent: number
  /** Rows after which the order is left for the index all the same: old matches may lie all in one place. */
  atMost: number
  /** Rows of the order with `id`, `sort_key` and `hit`. */
  scan: (list: List, reading: Reading, limit: number) => string
  /** The first matches by an index, as `id` and `sort_key`; `go` is the condition under which they are wanted. */
  indexed: (list: List, reading: Reading, go: string) => string
}

/**
 * Nobody knows beforehand whether a term is frequent. Its share of the first rows decides, within the one statement:
 * frequent terms are filtered out of the order, rare ones are found by their index and sorted.
 */
export const searchRows =
  ({ sample, frequent, atMost, scan, indexed }: SearchPlan): RowsOf =>
  (list: List, reading: Reading): PageRows => {
    const { direction, take } = reading
    const first = `order by sort_key ${direction}, id ${direction} limit ${take}`
    return {
      ids: true,
      text: `with sample as materialized (${scan(list, reading, sample)}),
      seen as materialized (select count(*) as looked, count(*) filter (where hit) as hits from sample),
      enough as materialized (select hits >= ${take} or looked < ${sample} as yes, hits >= ${frequent} as often from seen),
      further as materialized (
        select id, sort_key from (${scan(list, reading, atMost)}) ordered
        where hit and (select often and not yes from enough) ${first}
      ),
      found as materialized (
        ${indexed(list, reading, `(select not yes from enough) and (select count(*) < ${take} from further)`)}
      )
      select id, sort_key from (
        select id, sort_key from sample where hit and (select yes from enough)
        union all
        select id, sort_key from further where (select count(*) >= ${take} from further)
        union all
        select id, sort_key from found
      ) matches ${first}`,
    }
  }
