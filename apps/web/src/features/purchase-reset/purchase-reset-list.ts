import * as purchaseReset from '@agency/contract/descriptors/purchase-reset'
import { q } from '../../lib/api.ts'
import { defineList } from '../../lib/list/define-list.ts'
import { readState, type StateOf, text } from '../../lib/search-state.ts'

const historySize = 10

const resetSearch = {
  search: text(),
  /** The site whose details are open. */
  open: text('', { keepsPage: true }),
  /** The page of the history; `after` and `before` are those of the sites. */
  older: text('', { keepsPage: true }),
  newer: text('', { keepsPage: true }),
}
export type ResetSearch = StateOf<typeof resetSearch>

export const sitesList = defineList({
  search: resetSearch,
  filters: ['search'],
  sizes: [10, 25, 50, 100],
  initialSize: 10,
  query: (page, { search }) => q(purchaseReset.listPurchasedSites, { query: { ...page, search: search || undefined } }),
  rows: (answer) => answer.sites,
})

export const historyList = ({ search, older, newer }: ResetSearch) =>
  q(purchaseReset.listPurchaseResets, {
    query: {
      limit: historySize,
      starting_after: older || undefined,
      ending_before: (!older && newer) || undefined,
      search: search || undefined,
    },
  })

/** What the screen asks first, read from its address. */
export function purchaseResetQueries(params: URLSearchParams, pathname: string) {
  return [...sitesList.queriesFor(params, pathname), historyList(readState(resetSearch, params))]
}

/** What is read again after a reset or an undo. */
export const resetReads = [purchaseReset.listPurchasedSites, purchaseReset.listPurchaseResets]
