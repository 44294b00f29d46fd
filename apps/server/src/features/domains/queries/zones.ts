import { type Kysely, sql } from 'kysely'
import type { AppContext, TransactionContext } from '../../../context.ts'
import type { DB } from '../../../db/types.ts'
import type { Zone } from '../../../integrations/cloudflare/zone-answers.ts'
import { toJson } from '../../../platform/json.ts'
import { runStatement } from '../../../platform/statements.ts'

/** What is not a date is no date. */
function dateOf(value: string | null | undefined): string | null {
  const at = value ? new Date(value) : null
  return at === null || Number.isNaN(at.getTime()) ? null : at.toISOString()
}

const rowOf = (zone: Zone) => ({
  id: zone.id,
  name: zone.name,
  status: zone.status || null,
  paused: zone.paused === true,
  type: zone.type || null,
  plan: zone.plan ?? null,
  account: zone.account ?? null,
  created_on: dateOf(zone.created_on),
  modified_on: dateOf(zone.modified_on),
  name_servers: zone.name_servers ?? [],
  original_name_servers: zone.original_name_servers ?? [],
})

async function upsertZones(tx: TransactionContext, connection: string, zones: readonly Zone[]): Promise<void> {
  const rows = toJson(zones.map(rowOf))
  await sql`insert into domains (id, connection, name, status, paused, type, plan, account, created_on, modified_on,
      name_servers, original_name_servers)
    select id, ${connection}, name, status, paused, type, nullif(plan, 'null'), nullif(account, 'null'), created_on,
      modified_on, name_servers, original_name_servers
    from jsonb_to_recordset(${rows}::jsonb) as z (id text, name text, status text, paused boolean, type text, plan jsonb,
      account jsonb, created_on timestamptz, modified_on timestamptz, name_servers text[], original_name_servers text[])
    on conflict (id) do update set name = excluded.name, status = excluded.status, paused = excluded.paused,
      type = excluded.type, plan = excluded.plan, account = excluded.account, created_on = excluded.created_on,
      modified_on = excluded.modified_on, name_servers = excluded.name_servers,
      original_name_servers = excluded.original_name_servers`.execute(tx.db)
}

/** One that was added or read by itself; the others stay as they are. */
export async function keepZone(tx: TransactionContext, zone: Zone): Promise<void> {
  if (tx.cloudflare) await upsertZones(tx, tx.cloudflare.connection, [zone])
}

/** At the longest, from its first page to its last. */
const listTakesMs = 120_000

/** These are all the zones there are now: others are forgotten, and what was known of another connection with them. */
export async function replaceZones(tx: TransactionContext, connection: string, zones: readonly Zone[]): Promise<void> {
  // One that was added while the list was read is not in it yet.
  await sql`delete from domains d where connection <> ${connection}
    or not id = any(${zones.map((zone) => zone.id)}::text[]) and not exists (
      select from dns_changes c
      where c.zone_id = d.id and c.kind = 'add_zone' and c.settled_at > ${new Date(tx.clock() - listTakesMs)}
    )`.execute(tx.db)
  await upsertZones(tx, connection, zones)
  const now = new Date(tx.clock())
  await sql`insert into domain_lists (connection, fetched_at) values (${connection}, ${now})
    on conflict (connection) do update set fetched_at = excluded.fetched_at, failed_at = null, failure = null,
      refreshing_until = null`.execute(tx.db)
}

type Where = Pick<AppContext, 'pool' | 'clock'>

/** Those whose settings were asked for before, or never; the longest ago first. */
export async function findOldSettings(
  { pool }: Where,
  connection: string,
  before: Date,
  most: number,
): Promise<string[]> {
  const rows = await runStatement<{ id: string }>(pool, {
    text: `select id from domains where connection = $1 and (settings_at is null or settings_at < $2)
      order by settings_at nulls first, name limit $3`,
    values: [connection, before, most],
  })
  return rows.map(({ id }) => id)
}

/** What one question brought: a value, that there is no access, or that nothing newer is known than before. */
export type Heard = { value: string | null; problem: string | null; isKept: boolean }
export type ZoneSettings = { id: string; ssl: Heard; dnssec: Heard }

export async function saveSettings({ pool, clock }: Where, settings: readonly ZoneSettings[]): Promise<void> {
  await runStatement(pool, {
    text: `update domains d set settings_at = $2,
        ssl_value = case when z.ssl_kept then d.ssl_value else z.ssl_value end,
        ssl_checked_at = case when z.ssl_kept then d.ssl_checked_at else $2 end,
        ssl_problem = z.ssl_problem,
        dnssec_value = case when z.dnssec_kept then d.dnssec_value else z.dnssec_value end,
        dnssec_checked_at = case when z.dnssec_kept then d.dnssec_checked_at else $2 end,
        dnssec_problem = z.dnssec_problem
      from jsonb_to_recordset($1::jsonb) as z (id text, ssl_value text, ssl_problem text, ssl_kept boolean,
        dnssec_value text, dnssec_problem text, dnssec_kept boolean)
      where d.id = z.id`,
    values: [
      toJson(
        settings.map(({ id, ssl, dnssec }) => ({
          id,
          ssl_value: ssl.value,
          ssl_problem: ssl.problem,
          ssl_kept: ssl.isKept,
          dnssec_value: dnssec.value,
          dnssec_problem: dnssec.problem,
          dnssec_kept: dnssec.isKept,
        })),
      ),
      new Date(clock()),
    ],
  })
}

/** What was changed from here is known at once, before Cloudflare is asked again. */
export async function keepSetting(
  tx: TransactionContext,
  id: string,
  { setting, value }: { setting: string; value: string },
): Promise<void> {
  const now = new Date(tx.clock())
  const change =
    setting === 'paused'
      ? { paused: value === 'on' }
      : setting === 'ssl'
        ? { ssl_value: value, ssl_checked_at: now, ssl_problem: null }
        : null
  if (change) await tx.db.updateTable('domains').set(change).where('id', '=', id).execute()
}

export type ZoneFacts = { id: string; name: string; plan: string | null; created_at: string | null }

const facts = sql<string | null>`plan ->> 'name'`.as('plan')
const created = sql<string | null>`iso_utc(created_on)`.as('created_at')

/** The zones of a connection, by name. */
export function findZones(db: Kysely<DB>, connection: string): Promise<ZoneFacts[]> {
  return db
    .selectFrom('domains')
    .select(['id', 'name', facts, created])
    .where('connection', '=', connection)
    .orderBy('name')
    .execute()
}

export function findZone(db: Kysely<DB>, connection: string, id: string): Promise<ZoneFacts | undefined> {
  return db
    .selectFrom('domains')
    .select(['id', 'name', facts, created])
    .where('connection', '=', connection)
    .where('id', '=', id)
    .executeTakeFirst()
}
