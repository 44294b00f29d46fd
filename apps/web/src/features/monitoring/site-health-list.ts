import * as monitoring from '@agency/contract/descriptors/monitoring'
import { q } from '../../lib/api.ts'
import { chipsOf, chosenOf, defineList } from '../../lib/list/define-list.ts'
import { oneOf, type StateOf, text } from '../../lib/search-state.ts'
import { healthChips } from '../../lib/site-status.ts'
import type { Choice } from '../../ui/FilterField.tsx'

const healths = ['all', 'healthy', 'degraded', 'down', 'unknown'] as const
const sorts = ['health', 'site_name', 'response_ms', '-response_ms'] as const
const filters = ['search', 'health'] as const

const search = { search: text(), health: oneOf(healths, 'all'), sort: oneOf(sorts, 'health') }
type SiteHealthSearch = StateOf<typeof search>

export const siteHealthList = defineList({
  search,
  filters,
  sizes: [10, 25, 50],
  initialSize: 25,
  query: (page, state) =>
    q(monitoring.listMonitoredSites, { query: { ...page, ...chosenOf(search, state, filters), sort: state.sort } }),
  rows: (answer) => answer.sites,
})

export const healthChoices: readonly Choice[] = healths.map((value) => ({
  value,
  label: value === 'all' ? 'All' : healthChips[value].label,
}))

export const sortChoices: readonly Choice[] = [
  { value: 'health', label: 'Worst first' },
  { value: 'site_name', label: 'Name' },
  { value: '-response_ms', label: 'Slowest' },
  { value: 'response_ms', label: 'Fastest' },
]

export const siteHealthChips = (state: SiteHealthSearch) =>
  chipsOf(search, state, { health: (health) => `Health: ${healthChips[health].label}` })
