import type { LiveSession } from '@agency/contract/security'
import { inTransaction, type RequestContext, type TransactionContext } from '../../../context.ts'
import { recordAudit } from '../../../platform/audit.ts'
import { deviceOf } from '../../../platform/device.ts'
import { notFound } from '../../../platform/errors.ts'
import type { PageQuery } from '../../../platform/keyset.ts'
import { revokeOtherSessions as endOtherSessions, revokeSession as endSession, stageOf } from '../../auth/index.ts'
import { findLiveSessions, findSessions, type SessionRow } from '../queries/sessions.ts'

const reason = 'ended_by_administrator'

function toLiveSession(row: SessionRow, ownId: string | undefined): LiveSession {
  const { second_factor_at, requires_second_factor, totp_enabled_at, ...session } = row
  const enabledAt = totp_enabled_at === null ? null : new Date(totp_enabled_at)
  return {
    ...session,
    stage: stageOf({ stage: row.stage, requires_second_factor, totp_enabled_at: enabledAt }),
    device: deviceOf(row.user_agent),
    second_factor: second_factor_at !== null,
    is_mine: row.id === ownId,
  }
}

export async function listSessions(ctx: RequestContext, page: PageQuery) {
  const found = await findLiveSessions(ctx.pool, new Date(ctx.clock()), page)
  return { ...found, sessions: found.sessions.map((row) => toLiveSession(row, ctx.actor.sessionId)) }
}

/** An entry for each session that was ended, with whose it was. */
export async function recordEnded(tx: TransactionContext, ids: readonly string[], why: string): Promise<void> {
  for (const { id, actor_id, actor_name, address, user_agent } of await findSessions(tx, ids)) {
    const before = { actor_id, actor_name, address, device: deviceOf(user_agent) }
    await recordAudit(tx, { action: 'session.revoke', resource: 'session', id, before, after: { reason: why } })
  }
}

/** Whoever may manage the system may end any session: it takes nothing away but the sign-in. */
export async function revokeSession(ctx: RequestContext, id: string): Promise<{ success: true }> {
  await inTransaction(ctx, async (tx) => {
    if (!(await endSession(tx, id, reason))) throw notFound(`Live session ${id}`)
    await recordEnded(tx, [id], reason)
  })
  ctx.changes.tell('sessions')
  return { success: true }
}

export async function revokeOtherSessions(ctx: RequestContext): Promise<{ ended: number }> {
  const ended = await inTransaction(ctx, async (tx) => {
    const ids = await endOtherSessions(tx, reason, tx.actor.sessionId ?? null)
    await recordEnded(tx, ids, reason)
    return ids.length
  })
  ctx.changes.tell('sessions')
  return { ended }
}
