import { type Kysely, sql } from 'kysely'
import type { DB } from '../../../db/types.ts'

type Db = Kysely<DB>

export type SealedRow = { id: string; sealed: string }

/** Where sealed texts are kept, whichever feature wrote them: a key can only be replaced in all of them at once. */
export type SealedPlace = {
  name: string
  /** `<table>.<column>` */
  column: string
  /** The rows after an id, in the order of their ids. */
  find(db: Db, after: string, limit: number): Promise<SealedRow[]>
  save(db: Db, rows: readonly SealedRow[]): Promise<void>
}

function column(name: string, table: string, id: string, sealed: string): SealedPlace {
  const [tableSql, idSql, sealedSql] = [sql.table(table), sql.raw(id), sql.ref(sealed)]
  return {
    name,
    column: `${table}.${sealed.split('.').at(-1)}`,
    async find(db, after, limit) {
      const { rows } = await sql<SealedRow>`
        select ${idSql} as id, ${sealedSql} as sealed from ${tableSql}
        where ${sealedSql} is not null and ${idSql} > ${after} order by 1 limit ${limit}`.execute(db)
      return rows
    },
    async save(db, rows) {
      await sql`
        update ${tableSql} set ${sealedSql} = v.sealed
        from unnest(${rows.map(({ id }) => id)}::text[], ${rows.map((row) => row.sealed)}::text[]) v (row_id, sealed)
        where ${idSql} = v.row_id`.execute(db)
    },
  }
}

const webhookKey = 'mirror.webhook'

/** The secrets of the webhook endpoint are elements of one row; an id is their place in it. */
const webhookSecrets: SealedPlace = {
  name: 'webhook secrets',
  column: 'instance_settings.value',
  async find(db, after, limit) {
    const { rows } = await sql<SealedRow>`
      select lpad((position - 1)::text, 6, '0') as id, secret ->> 'sealed' as sealed
      from instance_settings, jsonb_array_elements(value -> 'secrets') with ordinality s (secret, position)
      where key = ${webhookKey} and lpad((position - 1)::text, 6, '0') > ${after} order by 1 limit ${limit}`.execute(db)
    return rows
  },
  async save(db, rows) {
    for (const { id, sealed } of rows) {
      await sql`
        update instance_settings
        set value = jsonb_set(value, array['secrets', ${String(Number(id))}, 'sealed'], to_jsonb(${sealed}::text))
        where key = ${webhookKey}`.execute(db)
    }
  },
}

export const sealedPlaces: readonly SealedPlace[] = [
  column('settings', 'settings', 'settings.key', 'sealed'),
  column('earlier settings', 'setting_versions', "setting_versions.key || ' ' || setting_versions.version", 'sealed'),
  column('mails', 'mails', 'mails.id', 'sealed_text'),
  column('pages of mails', 'mails', 'mails.id', 'sealed_html'),
  column('unsubscribe links of mails', 'mails', 'mails.id', 'sealed_unsubscribe'),
  column('two-step secrets', 'users', 'users.id', 'totp_secret'),
  webhookSecrets,
  column('deploy hooks', 'sites', 'sites.id', 'hook_url_sealed'),
  column('secrets of deploy hooks', 'sites', 'sites.id', 'hook_secret_sealed'),
  column(
    'environments of sites',
    'site_environments',
    "site_environments.site_id || ' ' || site_environments.version",
    'sealed',
  ),
  column('addresses of alert channels', 'notification_channels', 'notification_channels.id', 'target_sealed'),
  column('secrets of alert channels', 'notification_channels', 'notification_channels.id', 'secret_sealed'),
  column('the key of browser push', 'push_keys', 'push_keys.id', 'sealed'),
  column('browsers with push', 'push_subscriptions', 'push_subscriptions.id', 'sealed'),
  column('keys of backups', 'backup_keys', 'backup_keys.id', 'sealed'),
  column('seals of the audit log', 'audit_seal_keys', 'audit_seal_keys.id', 'sealed'),
]

/** Processes that hold the key they were started with. */
export async function countConsoles(db: Db): Promise<number> {
  const { rows } = await sql<{ consoles: number }>`
    select count(*) as consoles from pg_stat_activity
    where datname = current_database() and application_name = 'agency-console listener'`.execute(db)
  return rows[0]?.consoles ?? 0
}
