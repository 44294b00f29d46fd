import * as purchases from '@agency/contract/descriptors/purchases'
import { q } from '../../lib/api.ts'
import { type PageQuery, readPaging } from '../../lib/paging.ts'
import { text } from '../../lib/search-state.ts'

export const purchasesPaging = { sizes: [10], initialSize: 10 }

export const purchaseSearch = { open: text('', { keepsPage: true }) }

export function purchasesList(page: PageQuery) {
  return q(purchases.listPurchases, { query: page })
}

/** What the screen asks first, read from its address. */
export function purchasesQueries(params: URLSearchParams) {
  return [purchasesList(readPaging(params, purchasesPaging))]
}
