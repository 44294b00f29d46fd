import { inTransaction, type RequestContext } from '../../../context.ts'
import { recordAudit } from '../../../platform/audit.ts'
import type { Reply } from '../../../platform/http/routes.ts'
import { clearCache } from '../../../platform/http/security-headers.ts'
import { revokeSession } from '../queries/sessions.ts'

/** Revokes the session key; with the admin key itself there is nothing to revoke. */
export async function signOut(ctx: RequestContext, reply: Reply): Promise<{ success: true }> {
  reply.headers(clearCache)
  const id = ctx.actor.sessionId
  if (id === undefined) return { success: true }
  await inTransaction(ctx, async (tx) => {
    if (await revokeSession(tx, id, 'signed_out'))
      await recordAudit(tx, { action: 'session.sign_out', resource: 'session', id })
  })
  // The database tells every process, this one included, but its own next request may come sooner.
  ctx.changes.tell('sessions')
  return { success: true }
}
