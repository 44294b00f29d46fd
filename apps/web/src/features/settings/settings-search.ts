import * as settings from '@agency/contract/descriptors/settings'
import { q } from '../../lib/api.ts'
import { chosenOf, defineList } from '../../lib/list/define-list.ts'
import { oneOf, readState, text } from '../../lib/search-state.ts'

export const configSearch = {
  tab: oneOf(['settings', 'outbox'], 'settings'),
  /** The setting whose history is open. */
  history: text('', { keepsPage: true }),
  state: oneOf(['all', 'queued', 'sent', 'kept', 'failed'], 'all'),
  /** The mail that is open. */
  open: text('', { keepsPage: true }),
}

export const settingsList = q(settings.listSettings, {})

const mailFilters = ['state'] as const

export const mailsList = defineList({
  search: configSearch,
  filters: mailFilters,
  sizes: [25, 50, 100],
  initialSize: 25,
  query: (page, state) => q(settings.listMails, { query: { ...page, ...chosenOf(configSearch, state, mailFilters) } }),
  rows: (answer) => answer.mails,
})

/** What the screen asks first, read from its address. */
export function configQueries(params: URLSearchParams, pathname: string) {
  return readState(configSearch, params).tab === 'outbox' ? mailsList.queriesFor(params, pathname) : [settingsList]
}
