import * as settings from '@agency/contract/descriptors/settings'
import { q } from '../../lib/api.ts'
import { type PageQuery, readPaging } from '../../lib/paging.ts'
import { oneOf, readState, type StateOf, text } from '../../lib/search-state.ts'

export const configSearch = {
  tab: oneOf(['settings', 'outbox'], 'settings'),
  /** The setting whose history is open. */
  history: text('', { keepsPage: true }),
  state: oneOf(['all', 'queued', 'sent', 'kept', 'failed'], 'all'),
  /** The mail that is open. */
  open: text('', { keepsPage: true }),
}
export type ConfigSearch = StateOf<typeof configSearch>

export const mailPaging = { sizes: [25, 50, 100], initialSize: 25 }

export const settingsList = q(settings.listSettings, {})

export function mailsList(page: PageQuery, { state }: ConfigSearch) {
  return q(settings.listMails, { query: { ...page, state: state === 'all' ? undefined : state } })
}

/** What the screen asks first, read from its address. */
export function configQueries(params: URLSearchParams) {
  const state = readState(configSearch, params)
  return state.tab === 'outbox' ? [mailsList(readPaging(params, mailPaging), state)] : [settingsList]
}
