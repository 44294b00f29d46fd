import { type MoneyAction, subscriptionChanges } from '@agency/contract/billing'
import { type Insertable, type Kysely, type Selectable, sql, type Transaction, type Updateable } from 'kysely'
import type { DB, MoneyActions } from '../../../db/types.ts'
import { moneyActionColumns } from './columns.ts'

type Db = Kysely<DB>
type Tx = Transaction<DB>

export type ActionRow = Selectable<MoneyActions>
export type ActionChange = Updateable<MoneyActions>

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

export async function patchAction(db: Db, id: string, change: ActionChange): Promise<void> {
  await db.updateTable('money_actions').set(change).where('id', '=', id).execute()
}

/** As long as it is in this state; then it answers true. */
export async function patchIn(
  db: Db,
  { id, state }: Pick<ActionRow, 'id' | 'state'>,
  change: ActionChange,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('money_actions')
    .set(change)
    .where('id', '=', id)
    .where('state', '=', state)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Begun, and not heard of since: the process that began them has ended. */
export const findEnded = (db: Db, heardBefore: Date): Promise<ActionRow[]> =>
  db
    .selectFrom('money_actions')
    .selectAll()
    .where('state', '=', 'started')
    .where('sent_at', '<=', heardBefore)
    .orderBy('created_at')
    .limit(100)
    .execute()

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
    .where('sent_at', 'is not', null)
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
    where a.sent_at is not null ${one} ${ofTarget} ${inState}
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
    .where('sent_at', 'is not', null)
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
