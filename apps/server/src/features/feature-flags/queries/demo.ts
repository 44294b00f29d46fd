import { sql } from 'kysely'
import type { AppContext, TransactionContext } from '../../../context.ts'

export type Demo = { flag_ids: string[]; key_id: string | null }

const key = 'feature_flags.demo'

/** What the demo brought with it; undefined: nothing. */
export async function findDemo({ db }: Pick<AppContext, 'db'>): Promise<Demo | undefined> {
  const { rows } = await sql<{ value: Demo }>`select value from instance_settings where key = ${key}`.execute(db)
  return rows[0]?.value
}

export async function saveDemo({ db }: Pick<TransactionContext, 'db'>, demo: Demo, at: Date): Promise<void> {
  await sql`
    insert into instance_settings (key, value, updated_at) values (${key}, ${JSON.stringify(demo)}, ${at})
    on conflict (key) do update set value = excluded.value, updated_at = excluded.updated_at`.execute(db)
}

export async function deleteDemo({ db }: Pick<TransactionContext, 'db'>): Promise<void> {
  await sql`delete from instance_settings where key = ${key}`.execute(db)
}

/** Whether the sites can go on with their key for a while. */
export async function isKeyGood({ db }: Pick<AppContext, 'db'>, id: string, until: Date): Promise<boolean> {
  const { rows } = await sql`
    select from api_keys where id = ${id} and revoked_at is null and expires_at > ${until}`.execute(db)
  return rows.length > 0
}
