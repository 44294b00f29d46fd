import type { TransactionContext } from '../../context.ts'
import { sendToChannels } from '../channels/index.ts'
import { notify } from '../notifications/index.ts'
import { insertEvent } from './queries/alerts.ts'
import { findToNotify, markNotified, type Notice } from './queries/notices.ts'
import type { Rule } from './rules.ts'

/** By then sites that fail for one cause are seen as one. */
export const gatherMs = 45_000

const bellSeverity = { info: 'info', warning: 'warning', error: 'error', critical: 'error' } as const

const linkTo = ({ id }: Notice) => `/admin/alerts?open=${encodeURIComponent(id)}`

/** Of what was serious, its end is written by mail too, as its beginning was. */
function typeOf({ resolved_at, severity }: Notice): string {
  if (resolved_at === null) return 'alert.opened'
  return bellSeverity[severity] === 'error' ? 'alert.resolved' : 'alert.ended'
}

/**
 * Tells of alerts that stand and of those that ended, once each. Not told: what stands for no one but is part of a
 * larger failure, what is muted or planned, and what somebody looks after already.
 */
export async function sendNotices(tx: TransactionContext, rules: ReadonlyMap<string, Rule>): Promise<void> {
  const now = tx.clock()
  for (const alert of await findToNotify(tx, new Date(now - gatherMs))) {
    const rule = rules.get(alert.rule)
    if (rule?.mutedUntil && rule.mutedUntil.getTime() > now) continue
    const isOver = alert.resolved_at !== null
    await notify(tx, {
      dedupeKey: `alert:${alert.id}:${alert.times_notified}${isOver ? ':over' : ''}`,
      type: typeOf(alert),
      severity: isOver ? 'success' : bellSeverity[alert.severity],
      permission: 'sites.read',
      title: isOver ? `Resolved: ${alert.title}` : alert.title,
      body: isOver ? null : alert.detail,
      link: linkTo(alert),
    })
    await sendToChannels(tx, {
      ...{ type: isOver ? 'alert.resolved' : 'alert.opened', alertId: alert.id, severity: alert.severity },
      ...{ title: isOver ? `Resolved: ${alert.title}` : alert.title, detail: isOver ? '' : alert.detail },
      link: linkTo(alert),
    })
    await markNotified(tx, alert, new Date(now))
    if (!isOver)
      await insertEvent(tx, alert.id, { kind: 'notified', actor: null, text: 'Told in the console and by mail' })
  }
}
