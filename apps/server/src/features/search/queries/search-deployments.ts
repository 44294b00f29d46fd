import type { List, RowsOf } from '../../../platform/keyset.ts'
import { searchRows, searchTerm } from '../../billing/index.ts'
import { deploymentWords } from '../../deployments/index.ts'

/** Deployments by version, commit, branch or id, or by the name, address or customer of their site. */
export function searchDeployments(list: List, search: string | undefined): RowsOf | undefined {
  const term = searchTerm(list.values, search)
  if (!term) return undefined
  const hit = `(${deploymentWords} like ${term.pattern}
    or (select true from sites named where named.id = d.site_id and named.doc like ${term.pattern} limit 1) is true)`
  return searchRows({
    sample: 200,
    frequent: 9,
    atMost: 4000,
    scan: ({ order }, { where, orderBy }, limit) =>
      `select ${order.id} as id, ${order.key} as sort_key, ${hit} as hit from ${order.from} ${where} order by ${orderBy} limit ${limit}`,
    // Of each site that matches, its newest. Without `offset 0` the planner would go along the order after all, and filter.
    indexed: ({ order }, { direction, take }, go) => `select id, sort_key from (
        select ${order.id} as id, ${order.key} as sort_key from ${order.from}
        where ${deploymentWords} like ${term.pattern} and ${go} offset 0
      ) own
      union
      select newest.id, newest.sort_key from (
        select named.id from sites named where named.doc like ${term.pattern} and ${go} offset 0
      ) site cross join lateral (
        select ${order.id} as id, ${order.key} as sort_key from ${order.from} where d.site_id = site.id
        order by d.queued_at desc, d.id desc limit ${take}
      ) newest
      order by sort_key ${direction}, id ${direction} limit ${take}`,
  })
}
