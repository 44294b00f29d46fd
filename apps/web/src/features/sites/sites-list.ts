import * as sites from '@agency/contract/descriptors/sites'
import { q } from '../../lib/api.ts'
import { type PageQuery, readPaging } from '../../lib/paging.ts'
import { paths } from '../../lib/paths.ts'
import { readState } from '../../lib/search-state.ts'
import { filtersOf, type SiteSearch, siteSearch } from './site-search.ts'

export const sitesPaging = { sizes: [10, 25, 50], initialSize: 25 }

export function sitesList(page: PageQuery, state: SiteSearch) {
  return q(sites.listSites, { query: { ...page, ...filtersOf(state), sort: state.sort } })
}

/** What the screen asks first, read from its address. */
export function sitesQueries(params: URLSearchParams, pathname: string) {
  if (pathname !== paths.sites) return []
  return [sitesList(readPaging(params, sitesPaging), readState(siteSearch, params))]
}
