import * as impersonation from '@agency/contract/descriptors/impersonation'
import { q } from '../../lib/api.ts'
import { chosenOf, defineList } from '../../lib/list/define-list.ts'
import { oneOf, text } from '../../lib/search-state.ts'

const search = {
  show: oneOf(['all', 'live', 'past'], 'all'),
  open: text('', { keepsPage: true }),
}
const filters = ['show'] as const

export const impersonationList = defineList({
  search,
  filters,
  sizes: [10, 25, 50],
  initialSize: 25,
  query: (page, state) =>
    q(impersonation.listImpersonations, { query: { ...page, ...chosenOf(search, state, filters) } }),
  rows: (answer) => answer.impersonations,
})

export const oneImpersonation = (id: string) => q(impersonation.getImpersonation, { params: { id } })
