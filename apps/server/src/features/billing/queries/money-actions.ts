import { type MoneyAction, subscriptionChanges } from '@agency/contract/billing'
import { type Insertable, type Kysely, type Selectable, sql, type Transaction, type Updateable } from 'kysely'
import type { DB, MoneyActions } from '../../../db/types.ts'
import { moneyActionColumns } from './columns.ts'

type Db = Kysely<DB>
type Tx = Transaction<DB>

export type ActionRow = Selectable<MoneyActions>

const open = ['started', 'unknown']

export const findAction = (db: Db, id: string): Promise<ActionRow | undefined> =>
  db.selectFrom('money_actions').selectAll().where('id', '=', id).executeTakeFirst()

/** Nobody else settles it before this transaction ends. */
export const lockAction = (tx: Tx, id: string): Promise<ActionRow> =>
  tx.selectFrom('money_actions').selectAll().where('id', '=', id).forUpdate().executeTakeFirstOrThrow()

/** Answers undefined when the id is taken. */
export const insertAction = (tx: Tx, row: Insertable<MoneyActions>): Promise<ActionRow | undefined> =>
  tx
    .insertInto('money_actions')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returningAll()
    .executeTakeFirst()

export async function patchAction(db: Db, id: string, change: Updateable<MoneyActions>): Promise<void> {
  await db.updateTable('money_actions').set(change).where('id', '=', id).execute()
}

/** Unless it was settled, or taken over, since this try of it began; then it answers false. */
export async function patchTry(
  db: Db,
  { id, attempts }: Pick<ActionRow, 'id' | 'attempts'>,
  change: Updateable<MoneyActions>,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('money_actions')
    .set(change)
    .where('id', '=', id)
    .where('attempts', '=', attempts)
    .where(({ eb, or }) => or([eb('state', 'in', open), eb('copy_stale', '=', true)]))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Takes the one that has waited longest, so that until `leaseEnd` nobody else does. `attempts` numbers who took it. */
export const claimDueAction = (
  db: Db,
  kinds: readonly string[],
  now: Date,
  leaseEnd: Date,
): Promise<ActionRow | undefined> =>
  db
    .updateTable('money_actions')
    .set(({ eb }) => ({ next_try_at: leaseEnd, asked_at: now, attempts: eb('attempts', '+', 1) }))
    .where('id', '=', ({ selectFrom }) =>
      selectFrom('money_actions')
        .select('id')
        .where('next_try_at', '<=', now)
        .where('kind', 'in', kinds)
        .orderBy('next_try_at')
        .limit(1)
        .forUpdate()
        .skipLocked(),
    )
    .returningAll()
    .executeTakeFirst()

/** The same of one whose last try has ended, due or not, or whose process has: for whoever asks for exactly this again. */
export const claimUnknown = (db: Db, id: string, now: Date, leaseEnd: Date): Promise<ActionRow | undefined> =>
  db
    .updateTable('money_actions')
    .set(({ eb }) => ({ next_try_at: leaseEnd, asked_at: now, attempts: eb('attempts', '+', 1) }))
    .where('id', '=', id)
    .where(({ eb, or, and }) =>
      or([eb('state', '=', 'unknown'), and([eb('state', '=', 'started'), eb('next_try_at', '<=', now)])]),
    )
    .returningAll()
    .executeTakeFirst()

/** The same of one whose outcome is unknown and about which nobody asks the provider just now: for whoever settles it by hand. */
export const claimRested = (db: Db, id: string, now: Date, leaseEnd: Date): Promise<ActionRow | undefined> =>
  db
    .updateTable('money_actions')
    .set(({ eb }) => ({ next_try_at: leaseEnd, asked_at: now, attempts: eb('attempts', '+', 1) }))
    .where('id', '=', id)
    .where('state', '=', 'unknown')
    .where(({ eb, or }) =>
      or([eb('asked_at', 'is', null), eb('asked_at', '<=', new Date(2 * now.getTime() - leaseEnd.getTime()))]),
    )
    .returningAll()
    .executeTakeFirst()

/** What `refund_claims` adds up for one payment, the newest first. */
export const findClaims = (db: Db, paymentId: string): Promise<ActionRow[]> =>
  db
    .selectFrom('money_actions')
    .selectAll()
    .where('target_id', '=', paymentId)
    .where('kind', '=', 'refund')
    .where('state', 'in', open)
    .orderBy('created_at', 'desc')
    .execute()

/** A cancellation, pause or other change of a subscription that is not settled. */
export const findOpenChange = (db: Db, subscriptionId: string): Promise<ActionRow | undefined> =>
  db
    .selectFrom('money_actions')
    .selectAll()
    .where('target_id', '=', subscriptionId)
    .where('kind', 'in', subscriptionChanges)
    .where('state', 'in', open)
    .executeTakeFirst()

export const findLastDone = (db: Db, kind: string, targetId: string): Promise<ActionRow | undefined> =>
  db
    .selectFrom('money_actions')
    .selectAll()
    .where('target_id', '=', targetId)
    .where('kind', '=', kind)
    .where('state', '=', 'done')
    .where('attempts', '>', 0)
    .orderBy('created_at', 'desc')
    .executeTakeFirst()

/** Refunds held for failed whose money the mirror has seen moving. */
export async function findContradicted(db: Db, since: Date): Promise<{ action: ActionRow; refundId: string }[]> {
  const rows = await db
    .selectFrom('money_actions as a')
    .innerJoin('refunds as r', (join) =>
      join
        .onRef('r.action_id', '=', 'a.id')
        .onRef('r.payment_id', '=', 'a.target_id')
        .onRef('r.amount', '=', 'a.amount'),
    )
    .selectAll('a')
    .select('r.id as refund_id')
    .where('a.kind', '=', 'refund')
    .where('a.state', '=', 'failed')
    .where('a.result_id', 'is', null)
    .where('a.created_at', '>=', since)
    .where('r.status', 'not in', ['failed', 'canceled'])
    .limit(20)
    .execute()
  return rows.map(({ refund_id, ...action }) => ({ action, refundId: refund_id }))
}

const shown = 100

/** Newest first; what needed no call to the provider is not among them. */
export async function findMoneyActions(
  db: Db,
  { id, target, state }: { id?: string; target?: string | undefined; state?: MoneyAction['state'] | undefined },
): Promise<MoneyAction[]> {
  const one = id === undefined ? sql`` : sql`and a.id = ${id}`
  const ofTarget = target === undefined ? sql`` : sql`and a.target_id = ${target}`
  const inState = state === undefined ? sql`` : sql`and a.state = ${state}`
  const { rows } = await sql<MoneyAction>`
    select ${sql.raw(moneyActionColumns)} from money_actions a
    where a.attempts > 0 ${one} ${ofTarget} ${inState}
    order by a.created_at desc, a.id desc limit ${shown}`.execute(db)
  return rows
}

/** Changes of a customer that are not settled, or were since that moment; the provider made one before it was settled. */
export const findSaves = (db: Db, customerId: string, since: Date): Promise<ActionRow[]> =>
  db
    .selectFrom('money_actions')
    .selectAll()
    .where('target_id', '=', customerId)
    .where('kind', '=', 'customer_update')
    .where('attempts', '>', 0)
    .where(({ eb, or, and }) =>
      or([eb('state', 'in', open), and([eb('state', '=', 'done'), eb('finished_at', '>', since)])]),
    )
    .orderBy('created_at')
    .execute()

/** What was to be sent about a customer who is erased is not sent again; whether it happened is still found out. */
export async function forgetPayloads(db: Db, customerId: string): Promise<void> {
  await db
    .updateTable('money_actions')
    .set({ payload: '{}' })
    .where('kind', 'in', ['customer_create', 'customer_update'])
    .where(({ eb, or }) => or([eb('target_id', '=', customerId), eb('result_id', '=', customerId)]))
    .execute()
}
