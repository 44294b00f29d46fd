import { chipsOf } from '../../lib/list/define-list.ts'
import { oneOf, type StateOf, text } from '../../lib/search-state.ts'

const userTabs = ['users', 'roles', 'permissions', 'activity'] as const
const userViews = ['overview', 'permissions', 'sessions', 'activity'] as const
const sorts = ['name', '-name', 'created_at', '-created_at', 'last_login_at', '-last_login_at'] as const

export const usersSearch = {
  tab: oneOf(userTabs, 'users'),
  search: text(),
  role: text(),
  status: oneOf(['all', 'active', 'inactive'], 'all'),
  sort: oneOf(sorts, 'name'),
  open: text('', { keepsPage: true }),
  view: oneOf(userViews, 'overview', { keepsPage: true }),
}
export type UsersSearch = StateOf<typeof usersSearch>

export const userChips = (state: UsersSearch, roleName: string | undefined) =>
  chipsOf(usersSearch, state, {
    role: (role) => `Role: ${roleName ?? role}`,
    status: (status) => `Status: ${status === 'active' ? 'Active' : 'Inactive'}`,
  })
