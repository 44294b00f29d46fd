import * as domains from '@agency/contract/descriptors/domains'
import { q } from '../../lib/api.ts'
import { defineList } from '../../lib/list/define-list.ts'
import { paths } from '../../lib/paths.ts'
import { oneOf, type StateOf, text } from '../../lib/search-state.ts'

const fields = ['name', 'status', 'plan', 'type', 'created_on', 'modified_on'] as const
const sorts = fields.flatMap((field) => [field, `-${field}`] as const)

export const domainSearch = {
  search: text(),
  sort: oneOf(sorts, 'name'),
  open: text('', { keepsPage: true }),
  tab: oneOf(['overview', 'records', 'settings'], 'overview', { keepsPage: true }),
}
export type DomainSearch = StateOf<typeof domainSearch>

/** As long as the console's own answer counts as new; changes are told by the event stream. */
const lifetimeMs = 5 * 60_000

export const domainsList = defineList({
  search: domainSearch,
  filters: ['search'],
  details: ['tab'],
  sizes: [5, 10, 25],
  initialSize: 10,
  query: (page, { search, sort }) => ({
    ...q(domains.listDomains, { query: { ...page, search: search || undefined, sort } }),
    staleTime: lifetimeMs,
  }),
  rows: (answer) => answer.domains,
  path: paths.domains,
})
