import type { List, PageRows, Reading } from '../../../platform/keyset.ts'

/** Rows that belong to something that was found, such as a customer: `found` answers its `value`, `owns` tells its rows. */
export type Group = { found: string; owns: (value: string) => string }

export type Search = {
  /** Joins that `hit` needs over the columns of the listed table. */
  joins: string
  /** Whether a row matches. */
  hit: string
  groups: Group[]
  /** Conditions on the listed table that an index answers by itself. */
  direct: string[]
}

/**
 * Frequent terms fill a page from the first rows of the order. For rare ones the order is left: what matches is found in
 * its own index, the first row of each owner tells which owners reach the page, and only their rows are read.
 */
export function nearThenGroups(near: number, { joins, hit, groups, direct }: Search) {
  return ({ table, alias, order }: List, { where, orderBy, direction, take }: Reading): PageRows => {
    const rows = (condition: string, limit: number): string =>
      `(select ${alias}.id, ${order.key} as sort_key from ${order.from} ${where} and ${condition} order by ${orderBy} limit ${limit})`
    const first = `order by sort_key ${direction}, id ${direction} limit ${take}`
    const found = groups.map(
      (group, index) => `found_${index} as materialized (
        select value from (${group.found}) f where not (select yes from enough)
      ), heads_${index} as materialized (
        select value, sort_key, id from found_${index}
        cross join lateral ${rows(group.owns('value'), 1)} head ${first}
      )`,
    )
    const hits = [
      ...groups.map(
        (group, index) => `select own.id, own.sort_key from heads_${index}
          cross join lateral ${rows(group.owns('value'), take)} own`,
      ),
      ...direct.map((condition) => `select * from ${rows(`${condition} and not (select yes from enough)`, take)} own`),
    ]
    return {
      ids: true,
      text: `with near as materialized (
        select ${alias}.id, ${alias}.sort_key, coalesce(${hit}, false) as hit from (
          select ${alias}.*, ${order.key} as sort_key from ${order.from} ${where} order by ${orderBy} limit ${near}
        ) ${alias} ${joins}
      ), enough as materialized (
        select count(*) filter (where hit) >= ${take} or count(*) < ${near} as yes from near
      ), ${found.join(', ')}
      select id, sort_key from (
        (select id, sort_key from near where hit and (select yes from enough) ${first})
        union
        ${hits.join(' union ')}
      ) ${table}_found ${first}`,
    }
  }
}
