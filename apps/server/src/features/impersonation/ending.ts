import type { SessionStage } from '@agency/contract/auth'
import type { ImpersonationCause } from '@agency/contract/impersonation'

type ViewEnd = { at: Date; cause: ImpersonationCause }

/** All that a live view depends on, as it is at one moment. */
export type ViewFacts = {
  until: Date
  /** The session in which it was opened; null once it was forgotten. */
  session: {
    idleExpiresAt: Date
    expiresAt: Date
    revokedAt: Date | null
    revokedReason: string | null
    stage: SessionStage
  } | null
  isActive: boolean
  mayImpersonate: boolean
  hasCustomer: boolean
}

const revocations: Record<string, ImpersonationCause> = {
  signed_out: 'signed_out',
  deactivated: 'deactivated',
  deleted: 'deactivated',
}

/** What has an hour of its own, whenever it is noticed. */
function timedEnds({ until, session }: ViewFacts): ViewEnd[] {
  const ends: ViewEnd[] = [{ at: until, cause: 'time' }]
  if (!session) return ends
  ends.push({ at: session.idleExpiresAt, cause: 'idle' }, { at: session.expiresAt, cause: 'session_limit' })
  if (session.revokedAt)
    ends.push({ at: session.revokedAt, cause: revocations[session.revokedReason ?? ''] ?? 'session_ended' })
  return ends
}

function stateEnd({ session, isActive, mayImpersonate, hasCustomer }: ViewFacts): ImpersonationCause | null {
  if (!session) return 'session_ended'
  if (!isActive) return 'deactivated'
  if (!mayImpersonate || session.stage !== 'open') return 'permission_lost'
  return hasCustomer ? null : 'customer_deleted'
}

/** How and when a view has ended by now, or null while it lives: the earliest of what ended it. */
export function endOfView(facts: ViewFacts, now: number): ViewEnd | null {
  const [first] = timedEnds(facts)
    .filter(({ at }) => at.getTime() <= now)
    .sort((one, other) => one.at.getTime() - other.at.getTime())
  if (first) return first
  const cause = stateEnd(facts)
  return cause && { at: new Date(now), cause }
}
