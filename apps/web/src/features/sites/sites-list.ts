import * as sites from '@agency/contract/descriptors/sites'
import { q } from '../../lib/api.ts'
import { defineList } from '../../lib/list/define-list.ts'
import { paths } from '../../lib/paths.ts'
import { filtersOf, siteFilters, siteSearch } from './site-search.ts'

export const sitesList = defineList({
  search: siteSearch,
  filters: siteFilters,
  details: ['tab'],
  sizes: [10, 25, 50],
  initialSize: 25,
  query: (page, state) => q(sites.listSites, { query: { ...page, ...filtersOf(state), sort: state.sort } }),
  rows: (answer) => answer.sites,
  path: paths.sites,
})
