import * as domains from '@agency/contract/descriptors/domains'
import { q } from '../../lib/api.ts'
import { type PageQuery, readPaging } from '../../lib/paging.ts'
import { paths } from '../../lib/paths.ts'
import { oneOf, readState, type StateOf, text } from '../../lib/search-state.ts'

export const domainsPaging = { sizes: [5, 10, 25], initialSize: 10 }

const fields = ['name', 'status', 'plan', 'type', 'created_on', 'modified_on'] as const
const sorts = fields.flatMap((field) => [field, `-${field}`] as const)

export const domainSearch = {
  search: text(),
  sort: oneOf(sorts, 'name'),
  open: text('', { keepsPage: true }),
  tab: oneOf(['overview', 'records'], 'overview', { keepsPage: true }),
}
export type DomainSearch = StateOf<typeof domainSearch>

/** As long as the console's own answer counts as new; changes are told by the event stream. */
const lifetimeMs = 5 * 60_000

export const domainsList = (page: PageQuery, { search, sort }: DomainSearch) => ({
  ...q(domains.listDomains, { query: { ...page, search: search || undefined, sort } }),
  staleTime: lifetimeMs,
})

/** What the screen asks first, read from its address. */
export function domainsQueries(params: URLSearchParams, pathname: string) {
  if (pathname !== paths.domains) return []
  return [domainsList(readPaging(params, domainsPaging), readState(domainSearch, params))]
}
