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

export const noFilters = { search: '', role: '', status: 'all' } as const satisfies Partial<UsersSearch>

type Chip = { label: string; without: Partial<UsersSearch> }

export function filterChips({ role, status }: UsersSearch, roleName: string | undefined): Chip[] {
  const chips: Chip[] = []
  if (role) chips.push({ label: `Role: ${roleName ?? role}`, without: { role: '' } })
  if (status !== 'all') {
    chips.push({ label: `Status: ${status === 'active' ? 'Active' : 'Inactive'}`, without: { status: 'all' } })
  }
  return chips
}
