import * as backups from '@agency/contract/descriptors/backups'
import { q } from '../../lib/api.ts'
import { chipsOf, chosenOf, defineList } from '../../lib/list/define-list.ts'
import { oneOf, type StateOf, text } from '../../lib/search-state.ts'

const backupSearch = {
  search: text(),
  state: oneOf(['all', 'done', 'failed', 'cancelled'], 'all'),
  open: text('', { keepsPage: true }),
}
type BackupSearch = StateOf<typeof backupSearch>

export const stateChoices: readonly { value: BackupSearch['state']; label: string }[] = [
  { value: 'all', label: 'All' },
  { value: 'done', label: 'Done' },
  { value: 'failed', label: 'Failed' },
  { value: 'cancelled', label: 'Cancelled' },
]

const filters = ['search', 'state'] as const

export const backupsList = defineList({
  search: backupSearch,
  filters,
  sizes: [10, 25, 50],
  initialSize: 25,
  query: (page, state) => q(backups.listBackups, { query: { ...page, ...chosenOf(backupSearch, state, filters) } }),
  rows: (answer) => answer.backups,
})

export const restoresQuery = q(backups.listRestores, {})

export const planQuery = q(backups.getBackupPlan, {})

export const backupChips = (state: BackupSearch) =>
  chipsOf(backupSearch, state, { state: (chosen) => `State: ${chosen}` })

export function backupQueries(params: URLSearchParams, pathname: string) {
  return [...backupsList.queriesFor(params, pathname), restoresQuery, planQuery]
}
