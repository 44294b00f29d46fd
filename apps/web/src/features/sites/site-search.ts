import { chipsOf, chosenOf } from '../../lib/list/define-list.ts'
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
/** What is done to the open site by a link; the dialog lies over it, and does nothing by itself. */
const acts = ['', 'add', 'edit', 'suspend', 'resume', 'delete'] as const

export type DetailTab = (typeof detailTabs)[number]

export const siteSearch = {
  search: text(),
  status: oneOf(statuses, 'all'),
  health: oneOf(healths, 'all'),
  ssl: oneOf(['all', 'issues'], 'all'),
  sort: oneOf(sorts, '-created_at'),
  open: text('', { keepsPage: true }),
  tab: oneOf(detailTabs, 'overview', { keepsPage: true }),
  act: oneOf(acts, '', { keepsPage: true }),
  /** The domain of a site that is added. */
  on: text('', { keepsPage: true }),
}
export type SiteSearch = StateOf<typeof siteSearch>

export const siteFilters = ['search', 'status', 'health', 'ssl'] as const

/** The filters as the list and the export take them. */
export const filtersOf = (state: SiteSearch) => chosenOf(siteSearch, state, siteFilters)

export const siteChips = (state: SiteSearch) =>
  chipsOf(siteSearch, state, {
    status: (status) => `Status: ${siteStatusChips[status].label}`,
    health: (health) => `Health: ${healthChips[health].label}`,
    ssl: () => 'SSL: Issues',
  })
