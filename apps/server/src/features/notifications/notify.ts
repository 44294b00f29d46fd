import { randomUUID } from 'node:crypto'
import type { Notification } from '@agency/contract/notifications'
import type { Permission } from '@agency/contract/permissions'
import type { TransactionContext } from '../../context.ts'
import { insertNotification } from './queries.ts'

export type NewNotification = {
  /** Names the cause: it is told once, whoever notices it and however often. */
  dedupeKey: string
  /** `<entity>.<what happened>` */
  type: string
  severity: Notification['severity']
  /** Who is told: everybody with this permission. */
  permission: Permission
  title: string
  body?: string | null
  /** A path of the console. */
  link?: string | null
}

/** Tells the administrators, in the transaction of what happened. Answers whether it was news. */
export function notify(tx: Pick<TransactionContext, 'db' | 'clock'>, notification: NewNotification): Promise<boolean> {
  const { dedupeKey, type, severity, permission, title, body, link } = notification
  return insertNotification(tx, {
    id: randomUUID(),
    dedupe_key: dedupeKey,
    type,
    severity,
    permission,
    title,
    body: body ?? null,
    link: link ?? null,
    created_at: new Date(tx.clock()),
  })
}
