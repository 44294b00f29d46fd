import * as adminUsers from '@agency/contract/descriptors/admin-users'
import type { Topic } from '@agency/contract/types'
import { type Endpoint, type Input, q, type ResponseOf } from '../../lib/api.ts'
import { defineList } from '../../lib/list/define-list.ts'
import { readState } from '../../lib/search-state.ts'
import { usersSearch } from './users-search.ts'

/** These answers differ by who asks, so the server keeps none; a change to people makes them stale here all the same. */
function live<E extends Endpoint>(endpoint: E, input: Input<E>) {
  const topics: readonly Topic[] = ['users']
  const query = q(endpoint, input)
  return { ...query, meta: { ...query.meta, topics } }
}

/** The figures of the cards, where no list is shown. */
const usersSummary = live(adminUsers.listUsers, { query: { limit: 1 } })

const pages = { sizes: [10, 25, 50], initialSize: 25 }

/** The cards of the screen stand on its answer too, so that it is asked, for one row, where another tab is open. */
export const usersList = defineList({
  ...pages,
  search: usersSearch,
  filters: ['search', 'role', 'status'],
  details: ['view'],
  query: (page, { tab, search, role, status, sort }) =>
    tab === 'users'
      ? live(adminUsers.listUsers, {
          query: { ...page, search: search || undefined, role: role || undefined, status, sort },
        })
      : usersSummary,
  rows: (answer) => answer.users,
})

export const activityList = defineList({
  ...pages,
  search: {},
  filters: [],
  query: (page) => q(adminUsers.listUserActivity, { query: page }),
  rows: (answer) => answer.entries,
})

export const rolesList = live(adminUsers.listRoles, {})
export const permissionsList = live(adminUsers.listPermissions, {})
export type UserDetails = ResponseOf<typeof adminUsers.getUser>

export const userDetails = (id: string) => live(adminUsers.getUser, { params: { id } })
/** What an act on a person or a role may have changed. */
export const peopleReads = [
  adminUsers.listUsers,
  adminUsers.getUser,
  adminUsers.listRoles,
  adminUsers.listPermissions,
  adminUsers.previewUserRemoval,
  adminUsers.listUserActivity,
]

/** What the screen asks first, read from its address. */
export function usersQueries(params: URLSearchParams, pathname: string) {
  if (params.get('tab') === 'profile') return []
  const people = usersList.queriesFor(params, pathname)
  const { tab } = readState(usersSearch, params)
  if (tab === 'users') return people
  if (tab === 'activity') return [...people, ...activityList.queriesFor(params, pathname)]
  return [...people, rolesList, ...(tab === 'permissions' ? [permissionsList] : [])]
}
