import * as paymentLinks from '@agency/contract/descriptors/payment-links'
import { q } from '../../../lib/api.ts'
import { chosenOf, defineList } from '../../../lib/list/define-list.ts'
import { oneOf, text } from '../../../lib/search-state.ts'

const search = {
  search: text(),
  state: oneOf(['all', 'active', 'off'], 'all'),
  open: text('', { keepsPage: true }),
}
const filters = ['search', 'state'] as const

/** What shows payment links. */
export const linkReads = [paymentLinks.listPaymentLinks, paymentLinks.getPaymentLink]

export const linksList = defineList({
  ...{ search, filters, sizes: [25, 50, 100], initialSize: 25 },
  query: (page, state) => q(paymentLinks.listPaymentLinks, { query: { ...page, ...chosenOf(search, state, filters) } }),
  rows: (answer) => answer.payment_links,
})
