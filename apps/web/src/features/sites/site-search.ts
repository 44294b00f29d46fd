import { oneOf, type StateOf, text } from '../../lib/search-state.ts'
import { healthChips, siteStatusChips } from '../../lib/site-status.ts'

const statuses = ['all', 'active', 'pending', 'deploying', 'suspended', 'maintenance'] as const
const healths = ['all', 'healthy', 'degraded', 'down', 'unknown'] as const
const sortFields = [
  'created_at',
  'site_name',
  'customer_name',
  'performance_score',
  'storage_used',
  'last_deployment',
] as const
const sorts = sortFields.flatMap((field) => [field, `-${field}`] as const)

const detailTabs = ['overview', 'deployments', 'performance', 'configuration'] as const
export type DetailTab = (typeof detailTabs)[number]

export const siteSearch = {
  search: text(),
  status: oneOf(statuses, 'all'),
  health: oneOf(healths, 'all'),
  ssl: oneOf(['all', 'issues'], 'all'),
  sort: oneOf(sorts, '-created_at'),
  open: text('', { keepsPage: true }),
  tab: oneOf(detailTabs, 'overview', { keepsPage: true }),
}
export type SiteSearch = StateOf<typeof siteSearch>

/** The details of a site as they open; of an empty id: none. */
export const detailsOf = (open: string): Pick<SiteSearch, 'open' | 'tab'> => ({ open, tab: 'overview' })

export const noFilters = { search: '', status: 'all', health: 'all', ssl: 'all' } as const satisfies Partial<SiteSearch>

/** The filters as the list and the export take them. */
export function filtersOf(state: SiteSearch) {
  return {
    search: state.search || undefined,
    status: state.status === 'all' ? undefined : state.status,
    health: state.health === 'all' ? undefined : state.health,
    ssl: state.ssl === 'all' ? undefined : state.ssl,
  }
}

export type FilterChip = { label: string; without: Partial<SiteSearch> }

/** What narrows the list, each with the change that takes it away. The search box shows its own text. */
export function chipsOf(state: SiteSearch): FilterChip[] {
  const chips: FilterChip[] = []
  if (state.status !== 'all') {
    chips.push({ label: `Status: ${siteStatusChips[state.status].label}`, without: { status: 'all' } })
  }
  if (state.health !== 'all') {
    chips.push({ label: `Health: ${healthChips[state.health].label}`, without: { health: 'all' } })
  }
  if (state.ssl !== 'all') chips.push({ label: 'SSL: Issues', without: { ssl: 'all' } })
  return chips
}
