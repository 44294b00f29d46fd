import * as impersonation from '@agency/contract/descriptors/impersonation'
import { q } from '../../lib/api.ts'
import { type PageQuery, readPaging } from '../../lib/paging.ts'
import { oneOf, readState, type StateOf, text } from '../../lib/search-state.ts'

export const impersonationSearch = {
  show: oneOf(['all', 'live', 'past'], 'all'),
  open: text('', { keepsPage: true }),
}
type ImpersonationSearch = StateOf<typeof impersonationSearch>

export const impersonationPaging = { sizes: [10, 25, 50], initialSize: 25 }

export const impersonationList = (page: PageQuery, { show }: ImpersonationSearch) =>
  q(impersonation.listImpersonations, { query: { ...page, show: show === 'all' ? undefined : show } })

export const oneImpersonation = (id: string) => q(impersonation.getImpersonation, { params: { id } })

/** What the screen asks first, read from its address. */
export const impersonationQueries = (params: URLSearchParams) => [
  impersonationList(readPaging(params, impersonationPaging), readState(impersonationSearch, params)),
]
