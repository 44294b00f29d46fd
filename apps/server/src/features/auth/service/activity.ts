import { inTransaction, type RequestContext } from '../../../context.ts'
import { AppError } from '../../../platform/errors.ts'
import {
  type Activity,
  afterHeartbeat,
  afterReport,
  idleEnd,
  type SessionLimits,
  sessionLimits,
  type TabReport,
} from '../idle.ts'
import { lockPerson, noteActivity } from '../queries/people.ts'
import { activityOf, lockSession, saveActivity } from '../queries/sessions.ts'
import { endOf } from './describe-session.ts'

type IdleAnswer = { idle_expires_at: string | null }

export const heartbeat = (ctx: RequestContext, tab?: string): Promise<IdleAnswer> =>
  changeActivity(ctx, (activity, now) => afterHeartbeat(activity, now, tab))

export const reportTab = (ctx: RequestContext, report: TabReport): Promise<IdleAnswer> =>
  changeActivity(ctx, (activity, now, limits) => afterReport(activity, report, now, limits))

async function changeActivity(
  ctx: RequestContext,
  change: (activity: Activity, now: number, limits: SessionLimits) => Activity,
): Promise<IdleAnswer> {
  const id = ctx.actor.sessionId
  if (id === undefined) return { idle_expires_at: null }
  const limits = sessionLimits(ctx.config.settings)
  return inTransaction(ctx, async (tx) => {
    // Whatever ends somebody's sessions locks the person first, then the sessions.
    if (tx.actor.type === 'user') await lockPerson(tx, tx.actor.id)
    const row = await lockSession(tx, id)
    if (!row) throw new AppError('unauthenticated', 'This session was ended. Sign in again.', { endsSession: true })
    const activity = change(activityOf(row), tx.clock(), limits)
    const idleExpiresAt = new Date(idleEnd(activity, limits))
    await saveActivity(tx, id, activity, idleExpiresAt)
    if (tx.actor.type === 'user') await noteActivity(tx, tx.actor.id, new Date(activity.lastActivityAt))
    return { idle_expires_at: endOf({ idle_expires_at: idleExpiresAt, expires_at: row.expires_at }).toISOString() }
  })
}
