import { inTransaction, type RequestContext } from '../../../context.ts'
import { recordAudit } from '../../../platform/audit.ts'
import { deviceOf } from '../../../platform/device.ts'
import { notFound } from '../../../platform/errors.ts'
import { findLiveSessionsOf, revokeOwnSession, revokeSessionsOf } from '../queries/sessions.ts'
import { getSelf, provePassword } from './passwords.ts'

/** A key is nobody's own: its sessions are seen under Security. */
export async function listMySessions(ctx: RequestContext) {
  const { actor } = ctx
  const rows = actor.type === 'user' ? await findLiveSessionsOf(ctx, actor.id) : []
  return {
    sessions: rows.map((row) => ({
      id: row.id,
      device: deviceOf(row.user_agent),
      address: row.address,
      created_at: row.created_at.toISOString(),
      last_activity_at: row.last_activity_at.toISOString(),
      is_mine: row.id === actor.sessionId,
    })),
  }
}

export async function endMySessions(
  ctx: RequestContext,
  { password, id }: { password: string; id?: string | undefined },
): Promise<{ ended: number }> {
  const self = await getSelf(ctx)
  await provePassword(ctx, self, password)
  const ended = await inTransaction(ctx, async (tx) => {
    const ids =
      id === undefined
        ? await revokeSessionsOf(tx, self.id, 'ended_by_owner', self.sessionId)
        : await revokeOwnSession(tx, self.id, id, 'ended_by_owner')
    if (id !== undefined && ids.length === 0) throw notFound('This session')
    for (const one of ids) await recordAudit(tx, { action: 'session.revoke', resource: 'session', id: one })
    return ids.length
  })
  ctx.changes.tell('sessions')
  return { ended }
}
