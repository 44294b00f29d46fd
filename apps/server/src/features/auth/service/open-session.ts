import { randomUUID } from 'node:crypto'
import type { SessionStage, SessionState } from '@agency/contract/auth'
import type { Actor, RequestContext, TransactionContext } from '../../../context.ts'
import { recordAudit } from '../../../platform/audit.ts'
import { sessionLimits } from '../idle.ts'
import { insertSession, setStage } from '../queries/sessions.ts'
import { digestOf, makeSessionKey } from '../session-key.ts'
import { describeSession } from './describe-session.ts'

export type SignedIn = SessionState & { session_key: string }
export type Opened = { actor: Actor; sessionKey: string }

/** Makes a session key, which is told once and stored as a hash, in the transaction of the sign-in. */
export async function openSession(
  tx: TransactionContext,
  who: Actor,
  { stage, method }: { stage: SessionStage; method: string },
): Promise<Opened> {
  const id = randomUUID()
  const sessionKey = makeSessionKey()
  const actor: Actor = { ...who, sessionId: id, stage, permissions: stage === 'open' ? who.permissions : new Set() }
  const now = tx.clock()
  const { idleMs, totalMs } = sessionLimits(tx.config.settings)
  await insertSession(tx, {
    id,
    key_hash: Buffer.from(digestOf(sessionKey), 'base64'),
    actor_type: actor.type,
    actor_id: actor.id,
    actor_name: actor.name,
    role: actor.role,
    created_at: new Date(now),
    last_activity_at: new Date(now),
    idle_expires_at: new Date(now + idleMs),
    expires_at: new Date(now + totalMs),
    address: tx.address,
    user_agent: tx.userAgent,
    stage,
  })
  await recordAudit({ ...tx, actor }, { action: 'session.sign_in', resource: 'session', id, after: { method, stage } })
  return { actor, sessionKey }
}

/** Goes on with a sign-in, or completes it, under a new session key. */
export async function advanceSession(
  tx: TransactionContext,
  id: string,
  change: { stage: SessionStage; secondFactorAt?: Date },
): Promise<string> {
  const sessionKey = makeSessionKey()
  await setStage(tx, id, { ...change, keyHash: Buffer.from(digestOf(sessionKey), 'base64') })
  return sessionKey
}

export async function describeOpened(ctx: RequestContext, { actor, sessionKey }: Opened): Promise<SignedIn> {
  return { session_key: sessionKey, ...(await describeSession({ ...ctx, actor })) }
}
