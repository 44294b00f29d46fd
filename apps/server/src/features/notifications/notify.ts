import { randomUUID } from 'node:crypto'
import type { AlertSeverity } from '@agency/contract/monitoring'
import type { Notification } from '@agency/contract/notifications'
import type { Permission } from '@agency/contract/permissions'
import type { TransactionContext } from '../../context.ts'
import { sendToChannels } from '../channels/index.ts'
import { type NoticeType, severityOfNotice } from './notice-rules.ts'
import { type ChangedRule, findChangedRule, findOwners, insertNotification } from './queries.ts'

type Tx = Pick<TransactionContext, 'db' | 'clock' | 'jobs'>

type Told = {
  /** Names the cause: it is told once, whoever notices it and however often. */
  dedupeKey: string
  /** Who is told by the bell: everybody with this permission. */
  permission: Permission
  title: string
  body?: string | null
  /** A path of the console. */
  link?: string | null
  /** Whom it concerns, for the routes of customers and plans. */
  customerIds?: readonly (string | null)[]
  /** The site that it is about, in place of its customer. */
  siteId?: string
}

export type NewNotification = Told & { type: NoticeType; severity: Notification['severity'] }

export type AlertNotice = Told & {
  alert: {
    id: string
    severity: AlertSeverity
    isOver: boolean
    /** When its beginning was told. */
    openedToldAt: Date | null
    aboutChannel: string | undefined
  }
}

const levels: Record<Notification['severity'], AlertSeverity> = {
  success: 'info',
  info: 'info',
  warning: 'warning',
  error: 'error',
}
const bellSeverity = { info: 'info', warning: 'warning', error: 'error', critical: 'error' } as const

/** A rule that gives it another severity than by default decides; the rest is as whoever tells it says. */
function levelOf(severity: Notification['severity'], type: string, rule: ChangedRule | undefined): AlertSeverity {
  return rule && rule.severity !== severityOfNotice(type) ? rule.severity : levels[severity]
}

/**
 * Tells the administrators, by the bell and through the channels that a route leads to, in the transaction of what
 * happened. Answers whether it was news.
 */
export async function notify(tx: Tx, notification: NewNotification): Promise<boolean> {
  const { type, severity } = notification
  const rule = await findChangedRule(tx, type)
  if (rule?.is_enabled === false) return false
  const level = levelOf(severity, type, rule)
  const shown = levels[severity] === level ? severity : bellSeverity[level]
  const customerIds = await concernedBy(tx, notification)
  if (!(await insert(tx, notification, { type, severity: shown, level, customer_ids: customerIds }))) return false
  // What is muted stays under the bell: it is listed nowhere else.
  if (rule?.muted_until && rule.muted_until.getTime() > tx.clock()) return true
  const message = { type: 'notice' as const, alertId: null, severity: level, ...contentOf(notification) }
  await sendToChannels(tx, message, { key: notification.dedupeKey, customerIds })
  return true
}

/** Tells of an alert or of its end. Answers which channels are told. */
export async function notifyOfAlert(tx: Tx, notice: AlertNotice): Promise<string[]> {
  const { id, severity: level, isOver, openedToldAt, aboutChannel } = notice.alert
  const type = isOver ? 'alert.resolved' : 'alert.opened'
  const customerIds = await concernedBy(tx, notice)
  const severity = isOver ? 'success' : bellSeverity[level]
  if (!(await insert(tx, notice, { type, severity, level, customer_ids: customerIds }))) return []
  const message = { type, alertId: id, severity: level, ...contentOf(notice) } as const
  const since = isOver ? openedToldAt : null
  return sendToChannels(tx, message, { key: notice.dedupeKey, customerIds, aboutChannel, since })
}

/** Tells one person by the bell, of what is that person's own: no route leads it to a channel. */
export function notifyPerson(
  tx: Tx,
  {
    recipientId,
    type,
    severity,
    ...told
  }: Told & Pick<NewNotification, 'severity'> & { recipientId: string; type: string },
): Promise<boolean> {
  const kind = { type, severity, level: levels[severity], customer_ids: [] }
  return insert(tx, told, { ...kind, recipient_id: recipientId })
}

const contentOf = ({ title, body, link, permission }: Told) => ({
  ...{ title, detail: body ?? '', link: link ?? null, permission },
})

async function concernedBy(tx: Tx, { customerIds = [], siteId }: Told): Promise<string[]> {
  const known = customerIds.filter((id) => id !== null)
  return siteId === undefined ? known : [...known, ...(await findOwners(tx, siteId))]
}

function insert(
  tx: Tx,
  told: Told,
  kind: {
    type: string
    severity: Notification['severity']
    level: AlertSeverity
    customer_ids: string[]
    recipient_id?: string
  },
): Promise<boolean> {
  const { dedupeKey, permission, title, body = null, link = null } = told
  return insertNotification(tx, {
    ...{ id: randomUUID(), dedupe_key: dedupeKey, ...kind, permission, title, body, link },
    created_at: new Date(tx.clock()),
  })
}
