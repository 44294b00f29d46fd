import * as coupons from '@agency/contract/descriptors/coupons'
import { q } from '../../../lib/api.ts'
import { chosenOf, defineList } from '../../../lib/list/define-list.ts'
import { text } from '../../../lib/search-state.ts'

const search = { search: text(), open: text('', { keepsPage: true }) }
const filters = ['search'] as const

/** What shows coupons and their codes. */
export const couponReads = [coupons.listCoupons, coupons.getCoupon]

export const couponsList = defineList({
  ...{ search, filters, sizes: [25, 50, 100], initialSize: 25 },
  query: (page, state) => q(coupons.listCoupons, { query: { ...page, ...chosenOf(search, state, filters) } }),
  rows: (answer) => answer.coupons,
})
