import { sql } from 'kysely'
import type { AppContext, TransactionContext } from '../../../context.ts'

type Db = Pick<AppContext, 'db'>
type SiteRef = { id: string; site_name: string }

export type WindowRow = {
  id: string
  title: string
  starts_at: Date
  ends_at: Date
  silences: boolean
  excludes_uptime: boolean
  created_by: string
  sites: SiteRef[]
}

const windows = sql`
  select w.id, w.title, w.starts_at, w.ends_at, w.silences, w.excludes_uptime, w.created_by,
    (select coalesce(json_agg(json_build_object('id', s.id, 'site_name', s.site_name) order by s.site_name, s.id), '[]')
      from maintenance_sites m join sites s on s.id = m.site_id where m.window_id = w.id) as sites
  from maintenance_windows w`

const shownAtMost = 200

export async function findWindows({ db }: Db): Promise<WindowRow[]> {
  const { rows } = await sql<WindowRow>`${windows} order by w.ends_at desc, w.id limit ${shownAtMost}`.execute(db)
  return rows
}

export async function findWindow({ db }: Db, id: string): Promise<WindowRow | undefined> {
  const { rows } = await sql<WindowRow>`${windows} where w.id = ${id}`.execute(db)
  return rows[0]
}

export async function findSites({ db }: Db, ids: readonly string[]): Promise<SiteRef[]> {
  const { rows } = await sql<SiteRef>`
    select id, site_name from sites where id = any(${[...ids]}::text[]) and deleted_at is null order by site_name, id
  `.execute(db)
  return rows
}

type NewWindow = Omit<WindowRow, 'starts_at' | 'ends_at' | 'sites'> & {
  starts_at: string
  ends_at: string
  site_ids: readonly string[]
}

export async function insertWindow(
  { db, clock }: Pick<TransactionContext, 'db' | 'clock'>,
  window: NewWindow,
): Promise<void> {
  const { id, title, starts_at, ends_at, silences, excludes_uptime, created_by, site_ids } = window
  await sql`
    insert into maintenance_windows (id, title, starts_at, ends_at, is_for_all, silences, excludes_uptime, created_at, created_by)
    values (${id}, ${title}, ${starts_at}, ${ends_at}, ${site_ids.length === 0}, ${silences}, ${excludes_uptime},
      ${new Date(clock())}, ${created_by})`.execute(db)
  await sql`
    insert into maintenance_sites (window_id, site_id) select ${id}, x from unnest(${[...site_ids]}::text[]) x
  `.execute(db)
}

export async function endWindow({ db }: Pick<TransactionContext, 'db'>, id: string, at: Date): Promise<void> {
  await sql`update maintenance_windows set ends_at = ${at} where id = ${id}`.execute(db)
}

export async function deleteWindow({ db }: Pick<TransactionContext, 'db'>, id: string): Promise<void> {
  await sql`delete from maintenance_windows where id = ${id}`.execute(db)
}
