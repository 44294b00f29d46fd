import * as monitoring from '@agency/contract/descriptors/monitoring'
import { q } from '../../lib/api.ts'
import { oneOf, readState, type StateOf } from '../../lib/search-state.ts'

const intervals = ['60', '300', '600', '1200'] as const

export const monitorSearch = {
  auto: oneOf(['on', 'off'], 'on'),
  /** In seconds. */
  interval: oneOf(intervals, '600'),
}
export type MonitorSearch = StateOf<typeof monitorSearch>

export const intervalChoices = intervals.map((value) => ({ value, label: `${Number(value) / 60}m` }))

/** With auto-refresh, what changes is also read as soon as it does; without, only when asked for. */
export function overviewQuery({ auto }: Pick<MonitorSearch, 'auto'>) {
  const query = q(monitoring.getMonitoringOverview, {})
  return auto === 'on' ? query : { ...query, meta: { ...query.meta, topics: [] } }
}

/** What the screen asks first, read from its address. */
export const monitorQueries = (params: URLSearchParams) => [overviewQuery(readState(monitorSearch, params))]
