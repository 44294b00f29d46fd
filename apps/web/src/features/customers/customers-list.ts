import * as customers from '@agency/contract/descriptors/customers'
import { q } from '../../lib/api.ts'
import { type PageQuery, readPaging } from '../../lib/paging.ts'
import { paths } from '../../lib/paths.ts'
import { readState } from '../../lib/search-state.ts'
import { type CustomerSearch, customerSearch, filtersOf } from './customer-search.ts'

export const customersPaging = { sizes: [10, 25, 50], initialSize: 25 }

export function customersList(page: PageQuery, state: CustomerSearch) {
  return q(customers.listCustomers, { query: { ...page, ...filtersOf(state), sort: state.sort } })
}

/** What the screen asks first, read from its address. */
export function customersQueries(params: URLSearchParams, pathname: string) {
  if (pathname !== paths.customers) return []
  return [customersList(readPaging(params, customersPaging), readState(customerSearch, params))]
}
