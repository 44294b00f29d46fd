import type { RequestContext } from '../../../context.ts'
import { presentUser } from '../present.ts'
import { findUsers, summarizeUsers, type UsersQuery } from '../queries/shown-users.ts'

export async function listUsers(ctx: RequestContext, query: UsersQuery) {
  const [page, summary] = await Promise.all([findUsers(ctx, query), summarizeUsers(ctx)])
  return { ...page, users: page.users.map((user) => presentUser(ctx.actor, user)), summary }
}
