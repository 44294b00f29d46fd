import type { AdminUser } from '@agency/contract/types'
import type { RequestContext } from '../../../context.ts'
import { deviceOf } from '../../../platform/device.ts'
import { notFound } from '../../../platform/errors.ts'
import { findLiveSessionsOf } from '../../auth/index.ts'
import { explainPermissions, presentUser } from '../present.ts'
import { countLiveSessions, findGoodApiKeys } from '../queries/access.ts'
import { findUser } from '../queries/shown-users.ts'

export async function getUser(ctx: RequestContext, id: string): Promise<AdminUser> {
  const user = await findUser(ctx, id)
  if (!user) throw notFound('This administrator')
  return presentUser(ctx.actor, user)
}

export async function describeUser(ctx: RequestContext, id: string) {
  const [user, sessions] = await Promise.all([getUser(ctx, id), findLiveSessionsOf(ctx, id)])
  return {
    user,
    effective_permissions: explainPermissions(user),
    sessions: sessions.map(({ user_agent, created_at, last_activity_at, ...session }) => ({
      ...session,
      created_at: created_at.toISOString(),
      last_activity_at: last_activity_at.toISOString(),
      device: deviceOf(user_agent),
    })),
  }
}

/** What deactivating or deleting somebody ends. */
export async function previewRemoval(ctx: RequestContext, id: string) {
  await getUser(ctx, id)
  const [sessions, keys] = await Promise.all([countLiveSessions(ctx, id), findGoodApiKeys(ctx, id)])
  return { live_sessions: sessions, api_keys: keys }
}
