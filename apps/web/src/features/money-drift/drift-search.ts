import * as moneyDrift from '@agency/contract/descriptors/money-drift'
import { q } from '../../lib/api.ts'
import { chipsOf, chosenOf, defineList } from '../../lib/list/define-list.ts'
import { paths } from '../../lib/paths.ts'
import { oneOf, type StateOf, someOf, text } from '../../lib/search-state.ts'
import type { Choice } from '../../ui/FilterField.tsx'
import { classLabels, driftClasses } from './drift-words.ts'

const statuses = ['open', 'dismissed', 'all'] as const
const sorts = ['-money', 'money', '-since', 'since'] as const
const filters = ['search', 'class', 'status'] as const

const driftSearch = {
  search: text(),
  class: someOf(driftClasses),
  status: oneOf(statuses, 'open'),
  sort: oneOf(sorts, '-money'),
  open: text('', { keepsPage: true }),
}
type DriftSearch = StateOf<typeof driftSearch>

export const driftList = defineList({
  search: driftSearch,
  filters,
  sizes: [10, 25, 50],
  initialSize: 25,
  query: (page, state) => {
    const { class: classes, ...chosen } = chosenOf(driftSearch, state, filters)
    return q(moneyDrift.listMoneyDrift, { query: { ...page, ...chosen, class: classes?.join(','), sort: state.sort } })
  },
  rows: (answer) => answer.drift,
  path: paths.moneyDrift,
})

/** What a dismissal makes stale. */
export const driftReads = [moneyDrift.listMoneyDrift, moneyDrift.getMoneyDrift]

const statusLabels: Record<(typeof statuses)[number], string> = { open: 'Open', dismissed: 'Dismissed', all: 'All' }
export const statusChoices: readonly Choice[] = statuses.map((value) => ({ value, label: statusLabels[value] }))

export const sortChoices: readonly Choice[] = [
  { value: '-money', label: 'Most money' },
  { value: 'money', label: 'Least money' },
  { value: 'since', label: 'Oldest' },
  { value: '-since', label: 'Newest' },
]

export const driftChips = (state: DriftSearch) =>
  chipsOf(driftSearch, state, {
    class: (classes) => classes.map((each) => classLabels[each]).join(', '),
    status: (status) => `Status: ${statusLabels[status]}`,
  })
