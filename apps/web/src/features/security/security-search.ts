import * as security from '@agency/contract/descriptors/security'
import { q } from '../../lib/api.ts'
import { chosenOf, defineList } from '../../lib/list/define-list.ts'
import { oneOf, readState, type StateOf } from '../../lib/search-state.ts'

export const securitySearch = {
  tab: oneOf(['checks', 'sessions', 'attempts'], 'checks'),
  outcome: oneOf(['all', 'succeeded', 'failed'], 'all'),
}

export type SecuritySearch = StateOf<typeof securitySearch>

const pages = { sizes: [25, 50, 100], initialSize: 50 }

export const sessionsList = defineList({
  ...pages,
  search: {},
  filters: [],
  query: (page) => q(security.listSessions, { query: page }),
  rows: (answer) => answer.sessions,
})

const filters = ['outcome'] as const

export const attemptsList = defineList({
  ...pages,
  search: securitySearch,
  filters,
  query: (page, state) =>
    q(security.listSignInAttempts, { query: { ...page, ...chosenOf(securitySearch, state, filters) } }),
  rows: (answer) => answer.attempts,
})

/** What the screen asks first, read from its address. */
export function securityQueries(params: URLSearchParams, pathname: string) {
  const { tab } = readState(securitySearch, params)
  if (tab === 'sessions') return sessionsList.queriesFor(params, pathname)
  if (tab === 'attempts') return attemptsList.queriesFor(params, pathname)
  return [q(security.getSecurityChecks, {})]
}
