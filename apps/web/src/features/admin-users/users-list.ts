import * as adminUsers from '@agency/contract/descriptors/admin-users'
import type { Topic } from '@agency/contract/types'
import { type Endpoint, type Input, q, type ResponseOf } from '../../lib/api.ts'
import { type PageQuery, readPaging } from '../../lib/paging.ts'
import { readState } from '../../lib/search-state.ts'
import { type UsersSearch, usersSearch } from './users-search.ts'

export const usersPaging = { sizes: [10, 25, 50], initialSize: 25 }

/** These answers differ by who asks, so the server keeps none; a change to people makes them stale here all the same. */
function live<E extends Endpoint>(endpoint: E, input: Input<E>) {
  const topics: readonly Topic[] = ['users']
  const query = q(endpoint, input)
  return { ...query, meta: { ...query.meta, topics } }
}

export const usersList = (page: PageQuery, { search, role, status, sort }: UsersSearch) =>
  live(adminUsers.listUsers, {
    query: { ...page, search: search || undefined, role: role || undefined, status, sort },
  })

/** The figures of the cards, where no list is shown. */
export const usersSummary = live(adminUsers.listUsers, { query: { limit: 1 } })
export const rolesList = live(adminUsers.listRoles, {})
export const permissionsList = live(adminUsers.listPermissions, {})
export type UserDetails = ResponseOf<typeof adminUsers.getUser>

export const userDetails = (id: string) => live(adminUsers.getUser, { params: { id } })
export const activityList = (page: PageQuery, user?: string) =>
  q(adminUsers.listUserActivity, { query: { ...page, user } })

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
export function usersQueries(params: URLSearchParams) {
  const state = readState(usersSearch, params)
  const page = readPaging(params, usersPaging)
  if (params.get('tab') === 'profile') return []
  if (state.tab === 'users') return [usersList(page, state)]
  if (state.tab === 'activity') return [usersSummary, activityList(page)]
  return [usersSummary, rolesList, ...(state.tab === 'permissions' ? [permissionsList] : [])]
}
