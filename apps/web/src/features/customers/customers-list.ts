import * as customers from '@agency/contract/descriptors/customers'
import { q } from '../../lib/api.ts'
import { defineList } from '../../lib/list/define-list.ts'
import { paths } from '../../lib/paths.ts'
import { customerFilters, customerSearch, filtersOf } from './customer-search.ts'

export const customersList = defineList({
  search: customerSearch,
  filters: customerFilters,
  details: ['tab', 'kinds', 'until'],
  sizes: [10, 25, 50],
  initialSize: 25,
  query: (page, state) => q(customers.listCustomers, { query: { ...page, ...filtersOf(state), sort: state.sort } }),
  rows: (answer) => answer.customers,
  path: paths.customers,
})
