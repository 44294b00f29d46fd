import type { adminUsers } from '@agency/contract'
import type { QueryOf } from '@agency/contract/endpoint'
import type { RequestContext } from '../../../context.ts'
import { findEntries } from '../../audit/index.ts'

/** What belongs to people and how they come in. Keys are for those who see the whole log. */
const resources = ['user', 'role', 'session', 'account', 'address']

/** `user`: what this person did. */
export function listActivity(ctx: RequestContext, { user, ...page }: QueryOf<typeof adminUsers.listUserActivity>) {
  return findEntries(ctx, { resources, ...(user !== undefined && { actor: user }) }, page)
}
