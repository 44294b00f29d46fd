import { inTransaction, type RequestContext, type TransactionContext } from '../../context.ts'
import { notifyOfAlert } from '../notifications/index.ts'
import { insertEvent, lockAlerts } from './queries/alerts.ts'
import { findToNotify, markNotified, type Notice } from './queries/notices.ts'
import type { Rule } from './rules.ts'

/** By then sites that fail for one cause are seen as one. */
export const gatherMs = 45_000

const linkTo = ({ id }: Notice) => `/admin/alerts?open=${encodeURIComponent(id)}`

/** So many in one transaction: whoever acknowledges an alert waits for it. */
const togetherMost = 5

/**
 * Tells of alerts that stand and of those that ended, once each. Not told: what stands for no one but is part of a
 * larger failure, what is muted or planned, and what somebody looks after already.
 */
export async function sendNotices(ctx: RequestContext, rules: readonly Rule[]): Promise<void> {
  const now = ctx.clock()
  const muted = rules.filter(({ mutedUntil }) => mutedUntil && mutedUntil.getTime() > now).map(({ key }) => key)
  let told: number
  do {
    told = await inTransaction(ctx, async (tx) => {
      await lockAlerts(tx)
      const notices = await findToNotify(tx, { gathered: new Date(now - gatherMs), muted, most: togetherMost })
      for (const notice of notices) await send(tx, notice)
      return notices.length
    })
  } while (told === togetherMost)
}

async function send(tx: TransactionContext, alert: Notice): Promise<void> {
  const isOver = alert.resolved_at !== null
  const channels = await notifyOfAlert(tx, {
    dedupeKey: `alert:${alert.id}:${alert.times_notified}${isOver ? ':over' : ''}`,
    permission: 'sites.read',
    title: isOver ? `Resolved: ${alert.title}` : alert.title,
    body: isOver ? null : alert.detail,
    link: linkTo(alert),
    customerIds: alert.customer_ids,
    alert: {
      ...{ id: alert.id, severity: alert.severity, isOver, openedToldAt: alert.notified_at },
      aboutChannel: alert.rule === 'channel.failing' ? alert.subject_id : undefined,
    },
  })
  await markNotified(tx, alert, new Date(tx.clock()))
  const text = `Notified: ${['the bell', ...channels].join(', ')}`
  if (!isOver) await insertEvent(tx, alert.id, { kind: 'notified', actor: null, text })
}
