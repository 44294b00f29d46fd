import type { Site } from '@agency/contract/types'
import type { Pool } from 'pg'
import { readCursor } from '../../../platform/read-cursor.ts'
import { siteColumns } from './columns.ts'
import { type SiteFilters, siteList } from './list.ts'

/** All that match, in their order. */
export function readSites(pool: Pool, filters: SiteFilters): AsyncGenerator<Site[]> {
  const { order, where, isDescending, values } = siteList(filters)
  const direction = isDescending ? 'desc' : 'asc'
  const text = `select ${siteColumns} from ${order.from} where ${where.join(' and ')}
    order by ${order.key} ${direction}, ${order.id} ${direction}`
  return readCursor(pool, { text, values: values.list })
}
