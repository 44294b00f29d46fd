import type { SettingValue } from '@agency/contract/settings'
import { type Kysely, type Selectable, sql } from 'kysely'
import type { TransactionContext } from '../../../context.ts'
import type { DB, SettingVersions } from '../../../db/types.ts'

type Db = { db: Kysely<DB> }
type Tx = Pick<TransactionContext, 'db' | 'actor'>

/** A secret is sealed and has no value; both null: back to the default. */
export type Content = { value: SettingValue; sealed: string | null }
export type Stored = Content & { key: string }
export type Version = Omit<Selectable<SettingVersions>, 'value'> & { value: SettingValue }

export function findStored({ db }: Db): Promise<Stored[]> {
  return db.selectFrom('settings').select(['key', 'value', 'sealed']).execute() as Promise<Stored[]>
}

/** The newest version of every setting that was ever set. */
export function findNewestVersions({ db }: Db): Promise<Version[]> {
  return db
    .selectFrom('setting_versions')
    .distinctOn('key')
    .selectAll()
    .orderBy('key')
    .orderBy('version', 'desc')
    .execute() as Promise<Version[]>
}

export function findHistory({ db }: Db, key: string, limit: number): Promise<Version[]> {
  return db
    .selectFrom('setting_versions')
    .selectAll()
    .where('key', '=', key)
    .orderBy('version', 'desc')
    .limit(limit)
    .execute() as Promise<Version[]>
}

export function findVersion({ db }: Db, key: string, version: number): Promise<Version | undefined> {
  return db
    .selectFrom('setting_versions')
    .selectAll()
    .where('key', '=', key)
    .where('version', '=', version)
    .executeTakeFirst() as Promise<Version | undefined>
}

/** What a setting was at a moment; nothing before it was first set. */
export function findVersionAt({ db }: Db, key: string, at: Date): Promise<Version | undefined> {
  return db
    .selectFrom('setting_versions')
    .selectAll()
    .where('key', '=', key)
    .where('at', '<=', at)
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst() as Promise<Version | undefined>
}

/** Nobody else changes settings until the transaction ends. */
export async function lockSettings({ db }: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('settings', 0))`.execute(db)
}

/** Writes the setting and its version; without content the setting goes back to its default. */
export async function saveSetting(
  tx: Tx,
  { key, version, at }: Pick<Version, 'key' | 'version' | 'at'>,
  { value, sealed }: Content,
): Promise<void> {
  const json = value === null ? null : JSON.stringify(value)
  await tx.db
    .insertInto('setting_versions')
    .values({ key, version, value: json, sealed, at, actor_id: tx.actor.id, actor_name: tx.actor.name })
    .execute()
  if (json === null && sealed === null) {
    await tx.db.deleteFrom('settings').where('key', '=', key).execute()
    return
  }
  const columns = {
    value: json,
    sealed,
    version,
    updated_at: at,
    updated_by: tx.actor.id,
    updated_by_name: tx.actor.name,
  }
  await tx.db
    .insertInto('settings')
    .values({ key, ...columns })
    .onConflict((conflict) => conflict.column('key').doUpdateSet(columns))
    .execute()
}

/** The currency of the account that is mirrored, or of what was chosen instead. */
export async function findCurrency({ db }: Db): Promise<string> {
  const { rows } = await sql<{ currency: string }>`select default_currency() as currency`.execute(db)
  return rows[0]?.currency ?? 'usd'
}
