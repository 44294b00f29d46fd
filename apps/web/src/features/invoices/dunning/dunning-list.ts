import * as dunning from '@agency/contract/descriptors/dunning'
import { q } from '../../../lib/api.ts'
import { chipsOf, chosenOf, defineList } from '../../../lib/list/define-list.ts'
import { oneOf, type StateOf, text } from '../../../lib/search-state.ts'
import type { Choice } from '../../../ui/FilterField.tsx'

const states = ['all', 'retrying', 'stopped'] as const
const stateLabels = { all: 'All', retrying: 'Will be retried', stopped: 'No more retries' }
export const stateChoices: readonly Choice[] = states.map((value) => ({ value, label: stateLabels[value] }))

const sorts = ['next_attempt_at', 'amount_remaining', 'created_at'] as const
const search = {
  search: text(),
  state: oneOf(states, 'all'),
  customer: text(),
  currency: text(),
  sort: oneOf([...sorts, ...sorts.map((field) => `-${field}` as const)], 'next_attempt_at'),
}
const filters = ['search', 'state', 'customer', 'currency'] as const

/** As the server takes them, for the list and for its export. */
export const dunningFiltersOf = (state: StateOf<typeof search>) => ({
  ...chosenOf(search, state, filters),
  sort: state.sort,
})

export const dunningList = defineList({
  search,
  filters,
  sizes: [10, 25, 50],
  initialSize: 25,
  query: (page, state) => q(dunning.listFailedInvoices, { query: { ...page, ...dunningFiltersOf(state) } }),
  rows: (answer) => answer.invoices,
})

export const dunningChips = (state: StateOf<typeof search>, nameOf: (customerId: string) => string) =>
  chipsOf(search, state, {
    state: (value) => stateLabels[value],
    customer: (id) => `Customer: ${nameOf(id)}`,
    currency: (code) => `Currency: ${code.toUpperCase()}`,
  })
