import type { FlagGuard, FlagKind, RolloutUnit } from '@agency/contract/feature-flags'
import { type Insertable, type Selectable, sql } from 'kysely'
import type { AppContext, TransactionContext } from '../../../context.ts'
import type { FeatureFlags } from '../../../db/types.ts'
import type { Audience } from '../rollout.ts'

type Db = Pick<AppContext, 'db'>
type Tx = Pick<TransactionContext, 'db'>

type Typed = { always: Audience; never: Audience; guard: FlagGuard | null; kind: FlagKind; rollout_by: RolloutUnit }
export type FlagRow = Omit<Selectable<FeatureFlags>, keyof Typed> & Typed

export async function findFlags({ db }: Db): Promise<FlagRow[]> {
  const { rows } = await sql<FlagRow>`select * from feature_flags order by lower(name), id`.execute(db)
  return rows
}

export async function findFlag({ db }: Db, id: string): Promise<FlagRow | undefined> {
  const { rows } = await sql<FlagRow>`select * from feature_flags where id = ${id}`.execute(db)
  return rows[0]
}

/** Nobody else changes the flag until the transaction ends. */
export async function lockFlag({ db }: Tx, id: string): Promise<FlagRow | undefined> {
  const { rows } = await sql<FlagRow>`select * from feature_flags where id = ${id} for update`.execute(db)
  return rows[0]
}

/** Two changes that each close half of a circle of prerequisites come one after the other. */
export async function lockPrerequisites({ db }: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('feature-flags.prerequisites'))`.execute(db)
}

/** Answers false where the name is taken. */
export async function insertFlag({ db }: Tx, row: Insertable<FeatureFlags>): Promise<boolean> {
  const inserted = await db
    .insertInto('feature_flags')
    .values(row)
    .onConflict((conflict) => conflict.column('name').doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted !== undefined
}

export type FlagPatch = Partial<Omit<FlagRow, 'id' | 'name' | 'created_at' | 'created_by' | 'version'>>

const jsonColumns = ['always', 'never', 'guard'] as const

/** With a version of its own, unless nothing of its settings changed. */
export async function patchFlag({ db }: Tx, id: string, patch: FlagPatch, isNewVersion = true): Promise<FlagRow> {
  const set: Record<string, unknown> = { ...patch }
  for (const column of jsonColumns)
    if (set[column] !== undefined) set[column] = set[column] === null ? null : JSON.stringify(set[column])
  if (isNewVersion) set['version'] = sql`version + 1`
  const row = await db
    .updateTable('feature_flags')
    .set(set)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  return row as unknown as FlagRow
}

export async function noteEvaluated({ db }: Db, ids: readonly string[], at: Date): Promise<void> {
  await sql`
    update feature_flags set last_evaluated_at = ${at}
    where id = any(${[...ids]}::text[]) and (last_evaluated_at is null or last_evaluated_at < ${at})`.execute(db)
}

/**
 * Places customers that have sites by what they pay a month, the least first, as if a unit of each currency were worth the
 * same. Those without one come in behind, with everyone.
 */
export async function rankCustomers({ db }: Tx, flagId: string): Promise<void> {
  await sql`delete from feature_flag_ranks where flag_id = ${flagId}`.execute(db)
  await sql`
    insert into feature_flag_ranks (flag_id, customer_id, bucket)
    select ${flagId}, id, floor(10000.0 * (row_number() over (order by pays, id) - 1) / count(*) over ())::integer
    from (
      select c.id, coalesce((
        select sum(s.mrr) from subscriptions s where s.customer_id = c.id and s.deleted_at is null
      ), 0) as pays
      from (select distinct customer_id as id from sites where deleted_at is null and customer_id is not null) c
    ) paying`.execute(db)
}

type Name = { id: string; name: string }
export type Names = { customers: Name[]; sites: Name[]; plans: Name[] }

/** What the flags name, by what people call it; what is gone keeps its id for a name. */
export async function findNames({ db }: Db, ids: Pick<Audience, 'customers' | 'sites' | 'plans'>): Promise<Names> {
  const { rows } = await sql<Names>`
    select
      (select coalesce(jsonb_agg(jsonb_build_object('id', id, 'name', coalesce(name, email, id))), '[]')
        from customers where id = any(${[...ids.customers]}::text[])) as customers,
      (select coalesce(jsonb_agg(jsonb_build_object('id', id, 'name', site_name)), '[]')
        from sites where id = any(${[...ids.sites]}::text[])) as sites,
      (select coalesce(jsonb_agg(jsonb_build_object('id', id, 'name', coalesce(name, id))), '[]')
        from products where id = any(${[...ids.plans]}::text[])) as plans`.execute(db)
  return rows[0] ?? { customers: [], sites: [], plans: [] }
}

export async function findOwner({ db }: Db, id: string): Promise<Name | undefined> {
  const { rows } = await sql<Name>`select id, name from users where id = ${id} and is_active`.execute(db)
  return rows[0]
}
