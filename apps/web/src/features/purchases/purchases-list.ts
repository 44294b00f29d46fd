import * as purchases from '@agency/contract/descriptors/purchases'
import { q } from '../../lib/api.ts'
import { defineList } from '../../lib/list/define-list.ts'
import { text } from '../../lib/search-state.ts'

export const purchasesList = defineList({
  search: { open: text('', { keepsPage: true }) },
  filters: [],
  sizes: [10],
  initialSize: 10,
  query: (page) => q(purchases.listPurchases, { query: page }),
  rows: (answer) => answer.purchases,
})
