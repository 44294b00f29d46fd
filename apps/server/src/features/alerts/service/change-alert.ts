import type { Alert, AlertEvent } from '@agency/contract/alerts'
import { inTransaction, type RequestContext, type TransactionContext } from '../../../context.ts'
import { recordAudit } from '../../../platform/audit.ts'
import { AppError, invalidParameter, notFound } from '../../../platform/errors.ts'
import type { Evaluated, Follow } from '../evaluate.ts'
import { type AlertRow, findPersonName, insertEvent, lockAlert, lockAlerts, patchAlert } from '../queries/alerts.ts'
import { getAlert } from './get-alert.ts'

type Change = {
  /** `<alert>.<verb>` */
  action: string
  patch: Parameters<typeof patchAlert>[2]
  event: Pick<AlertEvent, 'kind' | 'text'>
  after: unknown
}

const nothing: Evaluated = { opened: [], reopened: [], resolved: [] }

/** Changes an alert that stands, with its event and its audit entry. */
async function change(
  ctx: RequestContext,
  id: string,
  plan: (tx: TransactionContext, alert: AlertRow) => Promise<Change> | Change,
  follow?: Follow,
): Promise<Alert> {
  await inTransaction(ctx, async (tx) => {
    // As the evaluation does it, so that neither waits for the other's rows.
    await lockAlerts(tx)
    const alert = await lockAlert(tx, id)
    if (!alert) throw notFound(`Alert ${id}`)
    if (alert.status === 'resolved')
      throw new AppError('conflict', 'This alert is already resolved. Nothing was changed.')
    const { action, patch, event, after } = await plan(tx, alert)
    await patchAlert(tx, id, patch)
    await insertEvent(tx, id, { ...event, actor: ctx.actor.name })
    await recordAudit(tx, {
      ...{ action, resource: 'alert', id },
      before: { title: alert.title, status: alert.status },
      after,
    })
    await follow?.(tx, { ...nothing, resolved: [id] })
  })
  return getAlert(ctx, id)
}

/** `via`: how, where it was not in the console. */
export const acknowledge = (ctx: RequestContext, id: string, via?: string): Promise<Alert> =>
  change(ctx, id, ({ clock, actor }, { title }) => ({
    action: 'alert.acknowledge',
    patch: {
      ...{ status: 'acknowledged', snoozed_until: null },
      ...{ acknowledged_at: new Date(clock()), acknowledged_by: actor.name },
    },
    event: { kind: 'acknowledged', text: via === undefined ? 'Acknowledged' : `Acknowledged ${via}` },
    after: { title, status: 'acknowledged', ...(via !== undefined && { via }) },
  }))

/** A little more, for a browser whose clock is ahead. */
const longestSnoozeMs = 7 * 86_400_000 + 5 * 60_000

export function snooze(ctx: RequestContext, id: string, until: string): Promise<Alert> {
  const at = new Date(until)
  const ahead = at.getTime() - ctx.clock()
  if (ahead <= 0 || ahead > longestSnoozeMs) throw invalidParameter('until', 'must be within the next 7 days')
  return change(ctx, id, (_, { title }) => ({
    action: 'alert.snooze',
    patch: { status: 'snoozed', snoozed_until: at },
    event: { kind: 'snoozed', text: `Snoozed until ${at.toISOString()}` },
    after: { title, status: 'snoozed', until },
  }))
}

export const assign = (ctx: RequestContext, id: string, userId: string | null): Promise<Alert> =>
  change(ctx, id, async (tx, { title }) => {
    const name = userId === null ? null : await findPersonName(tx, userId)
    if (name === undefined) throw invalidParameter('user_id', 'is not an active administrator')
    return {
      action: 'alert.assign',
      patch: { assignee_id: userId },
      event: { kind: 'assigned', text: name === null ? 'Assigned to nobody' : `Assigned to ${name}` },
      after: { title, assignee: name },
    }
  })

/** By hand: while its cause is still seen it stays resolved. */
export const resolve = (ctx: RequestContext, id: string, reason: string | undefined, follow: Follow): Promise<Alert> =>
  change(
    ctx,
    id,
    ({ clock, actor }, { title }) => ({
      action: 'alert.resolve',
      patch: {
        ...{ status: 'resolved', resolved_at: new Date(clock()), resolved_by: actor.name },
        ...{ snoozed_until: null, is_seen_still: true },
      },
      event: { kind: 'resolved', text: reason ? `Resolved: ${reason}` : 'Resolved' },
      after: { title, status: 'resolved', reason: reason ?? null },
    }),
    follow,
  )

/** Ends alerts with what they belong to, in its transaction. */
export async function resolveAll(tx: TransactionContext, alerts: readonly AlertRow[], text: string): Promise<void> {
  const now = new Date(tx.clock())
  for (const { id, status } of alerts) {
    if (status === 'resolved') continue
    await patchAlert(tx, id, {
      ...{ status: 'resolved', resolved_at: now, resolved_by: tx.actor.name },
      ...{ snoozed_until: null, is_seen_still: true },
    })
    await insertEvent(tx, id, { kind: 'resolved', actor: tx.actor.name, text })
  }
}
