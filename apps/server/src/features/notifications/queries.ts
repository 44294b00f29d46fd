import type { AlertSeverity } from '@agency/contract/monitoring'
import type { Notification } from '@agency/contract/notifications'
import type { Permission } from '@agency/contract/permissions'
import type { Insertable } from 'kysely'
import { sql } from 'kysely'
import type { AppContext, RequestContext, TransactionContext } from '../../context.ts'
import type { Notifications } from '../../db/types.ts'

type Reader = Pick<RequestContext, 'db' | 'actor'>

/** Answers whether it is the first of its cause. */
export async function insertNotification(
  { db }: Pick<TransactionContext, 'db'>,
  row: Insertable<Notifications>,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('notifications')
    .values(row)
    .onConflict((conflict) => conflict.column('dedupe_key').doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

export type ChangedRule = { is_enabled: boolean; severity: AlertSeverity; muted_until: Date | null }

/** A rule that somebody has changed. */
export async function findChangedRule(
  { db }: Pick<TransactionContext, 'db'>,
  key: string,
): Promise<ChangedRule | undefined> {
  const { rows } = await sql<ChangedRule>`
    select is_enabled, severity, muted_until from alert_rules where key = ${key}`.execute(db)
  return rows[0]
}

/** Whose site it is; none where nobody is known to own it. */
export async function findOwners({ db }: Pick<TransactionContext, 'db'>, siteId: string): Promise<string[]> {
  const { rows } = await sql<{ customer_id: string }>`
    select customer_id from sites where id = ${siteId} and customer_id is not null`.execute(db)
  return rows.map(({ customer_id }) => customer_id)
}

const readable = ({ actor }: Reader): Permission[] => [...actor.permissions]
const forActor = ({ actor }: Reader) => sql<boolean>`(n.recipient_id is null or n.recipient_id = ${actor.id})`

export async function findNotifications(ctx: Reader, limit: number): Promise<Notification[]> {
  const rows = await ctx.db
    .selectFrom('notifications as n')
    .leftJoin('notification_reads as r', (join) =>
      join.onRef('r.notification_id', '=', 'n.id').on('r.actor_id', '=', ctx.actor.id),
    )
    .select(['n.id', 'n.type', 'n.severity', 'n.title', 'n.body', 'n.link', 'n.created_at', 'r.read_at'])
    .where('n.permission', 'in', readable(ctx))
    .where(forActor(ctx))
    .orderBy('n.created_at', 'desc')
    .orderBy('n.id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(({ read_at, created_at, severity, ...row }) => ({
    ...row,
    severity: severity as Notification['severity'],
    created_at: created_at.toISOString(),
    read: read_at !== null,
  }))
}

const unread = (ctx: Reader) =>
  ctx.db
    .selectFrom('notifications as n')
    .where('n.permission', 'in', readable(ctx))
    .where(forActor(ctx))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('notification_reads as r')
            .select(sql`1`.as('one'))
            .whereRef('r.notification_id', '=', 'n.id')
            .where('r.actor_id', '=', ctx.actor.id),
        ),
      ),
    )

export async function countUnread(ctx: Reader): Promise<number> {
  const row = await unread(ctx)
    .select(({ fn }) => fn.countAll<number>().as('unread'))
    .executeTakeFirstOrThrow()
  return row.unread
}

/** Without ids: all that the actor may see. */
export async function insertReads(ctx: Reader & Pick<AppContext, 'clock'>, ids: string[] | undefined): Promise<void> {
  const chosen = ids === undefined ? unread(ctx) : unread(ctx).where('n.id', 'in', ids)
  const readAt = new Date(ctx.clock())
  await ctx.db
    .insertInto('notification_reads')
    .columns(['notification_id', 'actor_id', 'read_at'])
    .expression(
      chosen.select(['n.id', sql<string>`${ctx.actor.id}`.as('actor_id'), sql<Date>`${readAt}::timestamptz`.as('at')]),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** What one person was told under this key, and has seen to elsewhere. */
export async function insertReadOf(
  ctx: Pick<RequestContext, 'db' | 'actor' | 'clock'>,
  dedupeKey: string,
): Promise<void> {
  await sql`insert into notification_reads (notification_id, actor_id, read_at)
    select n.id, ${ctx.actor.id}, ${new Date(ctx.clock())}::timestamptz from notifications n
    where n.dedupe_key = ${dedupeKey} and n.recipient_id = ${ctx.actor.id}
    on conflict do nothing`.execute(ctx.db)
}

export async function deleteLinked({ db }: Pick<TransactionContext, 'db'>, links: readonly string[]): Promise<void> {
  await db
    .deleteFrom('notifications')
    .where('link', 'in', [...links])
    .execute()
}

export async function deleteOldNotifications(
  { db }: Pick<AppContext, 'db'>,
  before: Date,
  kept: number,
): Promise<void> {
  const oldestKept = db
    .selectFrom('notifications')
    .select('created_at')
    .orderBy('created_at', 'desc')
    .offset(kept)
    .limit(1)
  await db
    .deleteFrom('notifications')
    .where(({ eb, or }) => or([eb('created_at', '<', before), eb('created_at', '<=', oldestKept)]))
    .execute()
}
