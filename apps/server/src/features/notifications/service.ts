import type { Notification } from '@agency/contract/notifications'
import type { AppContext, RequestContext, TransactionContext } from '../../context.ts'
import { createDatabaseTrouble, type Trouble } from '../../platform/database-trouble.ts'
import { forgetDeliveries } from '../channels/index.ts'
import { countUnread, deleteLinked, deleteOldNotifications, findNotifications, insertReads } from './queries.ts'

const shown = 30
const keptMs = 90 * 24 * 60 * 60_000
const keptCount = 2000

export async function listNotifications(
  ctx: RequestContext,
): Promise<{ notifications: Notification[]; unread_count: number }> {
  if (ctx.actor.permissions.size === 0) return { notifications: [], unread_count: 0 }
  const [notifications, unread] = await Promise.all([findNotifications(ctx, shown), countUnread(ctx)])
  const trouble = ctx.instance(createDatabaseTrouble).current()
  if (!trouble) return { notifications, unread_count: unread }
  return { notifications: [troubleNotification(trouble), ...notifications], unread_count: unread + 1 }
}

/** Not stored: a database that cannot be written to keeps no notification of that. It stands as long as the trouble. */
const troubleNotification = ({ cause, message, since }: Trouble): Notification => ({
  id: `database.${cause}`,
  type: `database.${cause}`,
  severity: 'error',
  title: titleOfTrouble[cause],
  body: message,
  link: '/admin/health',
  created_at: new Date(since).toISOString(),
  read: false,
})

const titleOfTrouble: Record<Trouble['cause'], string> = {
  lost: 'The database was unreachable',
  slow: 'The database is slow',
  busy: 'The database is busy',
  full: "The database's disk is full",
  read_only: 'The database is read-only',
  contended: 'The database is busy',
}

/** What somebody has read is that person's own affair, so it leaves no audit entry. */
export async function markRead(ctx: RequestContext, ids: string[] | undefined): Promise<{ unread_count: number }> {
  if (ctx.actor.permissions.size === 0) return { unread_count: 0 }
  if (ids === undefined || ids.length > 0) await insertReads(ctx, ids)
  return { unread_count: await countUnread(ctx) }
}

export function forgetOldNotifications(ctx: AppContext): Promise<void> {
  return deleteOldNotifications(ctx, new Date(ctx.clock() - keptMs), keptCount)
}

/** Their titles name whom they are about, and so do those of what was sent. */
export async function forgetLinked(tx: Pick<TransactionContext, 'db'>, links: readonly string[]): Promise<void> {
  await deleteLinked(tx, links)
  await forgetDeliveries(tx, links)
}
