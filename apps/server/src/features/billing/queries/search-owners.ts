import type { List, Reading } from '../../../platform/keyset.ts'

/** Rows that belong to something that was found, such as a customer: `found` answers its `value`, `owns` tells its rows. */
export type Owners = { found: string; owns: (value: string) => string }

/**
 * Matches among many rows by way of their owners, of which there are far fewer: the first row of each owner tells which
 * owners reach the page, and only their rows are read. `direct` conditions are answered by an index of the rows.
 */
export function byOwners(owners: readonly Owners[], direct: readonly string[]) {
  return ({ alias, order }: List, { where, orderBy, direction, take }: Reading, go: string): string => {
    const first = `order by sort_key ${direction}, id ${direction} limit ${take}`
    const rows = (condition: string, limit: number): string =>
      `(select ${order.id} as id, ${order.key} as sort_key from ${order.from} ${where} and ${condition}
        order by ${orderBy} limit ${limit})`
    const heads = owners.map(
      ({ found, owns }, index) => `heads_${index} as materialized (
        select value, sort_key, id from (${found} and ${go} offset 0) ${alias}_owner
        cross join lateral ${rows(owns('value'), 1)} head ${first}
      )`,
    )
    const own = owners.map(
      ({ owns }, index) => `select own.id, own.sort_key from heads_${index}
        cross join lateral ${rows(owns('value'), take)} own`,
    )
    const others = direct.map((condition) => `select * from ${rows(`${condition} and ${go}`, take)} own`)
    return `with ${heads.join(', ')}
      select id, sort_key from (${[...own, ...others].join(' union ')}) owned ${first}`
  }
}
