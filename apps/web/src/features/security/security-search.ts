import * as security from '@agency/contract/descriptors/security'
import { q } from '../../lib/api.ts'
import { type PageQuery, readPaging } from '../../lib/paging.ts'
import { oneOf, readState, type StateOf } from '../../lib/search-state.ts'

export const securitySearch = {
  tab: oneOf(['checks', 'sessions', 'attempts'], 'checks'),
  outcome: oneOf(['all', 'succeeded', 'failed'], 'all'),
}
export type SecuritySearch = StateOf<typeof securitySearch>

export const securityPaging = { sizes: [25, 50, 100], initialSize: 50 }

export const sessionsList = (page: PageQuery) => q(security.listSessions, { query: page })

export function attemptsList(page: PageQuery, { outcome }: SecuritySearch) {
  return q(security.listSignInAttempts, { query: { ...page, outcome: outcome === 'all' ? undefined : outcome } })
}

/** What the screen asks first, read from its address. */
export function securityQueries(params: URLSearchParams) {
  const state = readState(securitySearch, params)
  const page = readPaging(params, securityPaging)
  if (state.tab === 'sessions') return [sessionsList(page)]
  if (state.tab === 'attempts') return [attemptsList(page, state)]
  return [q(security.getSecurityChecks, {})]
}
