import { sql } from 'kysely'
import type { AppContext } from '../../../context.ts'

type Db = Pick<AppContext, 'db'>

/** Since when no site could be measured, for a reason of the console's own. */
export type Outage = { since: Date; detail: string }

const key = 'probes.outage'

export async function findOutage({ db }: Db): Promise<Outage | undefined> {
  const { rows } = await sql<Outage>`
    select (value ->> 'since')::timestamptz as since, value ->> 'detail' as detail
    from instance_settings where key = ${key}
  `.execute(db)
  return rows[0]
}

export async function upsertOutage({ db }: Db, at: Date, detail: string): Promise<void> {
  await sql`
    insert into instance_settings as s (key, value, updated_at)
    values (${key}, jsonb_build_object('since', ${at}::timestamptz, 'detail', ${detail}::text), ${at})
    on conflict (key) do update set value = s.value || jsonb_build_object('detail', ${detail}::text), updated_at = ${at}
  `.execute(db)
}

export async function deleteOutage({ db }: Db): Promise<void> {
  await sql`delete from instance_settings where key = ${key}`.execute(db)
}

/** The look told nothing yet. */
export async function postpone({ db }: Db, siteId: string, nextAt: Date): Promise<void> {
  await sql`
    update site_probe_states set next_at = ${nextAt}, claimed_until = null where site_id = ${siteId}
  `.execute(db)
}

/** How many looks told something, by whichever process. */
export async function countLooksSince({ db }: Db, since: Date): Promise<number> {
  const { rows } = await sql<{ looks: number }>`
    select count(*)::integer as looks from site_probes where at >= ${since}
  `.execute(db)
  return rows[0]?.looks ?? 0
}
