import * as exports_ from '@agency/contract/descriptors/exports'
import { q } from '../../lib/api.ts'
import { chosenOf, defineList } from '../../lib/list/define-list.ts'
import { oneOf } from '../../lib/search-state.ts'

const states = ['all', 'queued', 'running', 'ready', 'failed', 'expired', 'cancelled'] as const

export const exportSearch = { state: oneOf(states, 'all') }
const filters = ['state'] as const

export const exportsList = defineList({
  search: exportSearch,
  filters,
  sizes: [10, 25, 50],
  initialSize: 25,
  query: (page, state) => q(exports_.listExports, { query: { ...page, ...chosenOf(exportSearch, state, filters) } }),
  rows: (answer) => answer.exports,
})
