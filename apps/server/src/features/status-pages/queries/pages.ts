import type { PublicUpdate, StatusPage } from '@agency/contract/status-pages'
import { sql } from 'kysely'
import type { AppContext } from '../../../context.ts'
import { toJson } from '../../../platform/json.ts'

type Db = Pick<AppContext, 'db'>

/** `w`: the id that is asked for, set up or not. Of the agency the sites that it shows, of a customer all of their own. */
const columns = sql`w.id, c.name as customer_name, p.slug, coalesce(p.title, '') as title, coalesce(p.is_on, false) as is_on,
  coalesce(p.version, 0) as version, iso_utc(p.updated_at) as updated_at, p.updated_by,
  coalesce((
    select json_agg(json_build_object('site_id', s.id, 'site_name', s.site_name, 'domain', s.domain,
      'is_shown', t.site_id is not null, 'label', t.label) order by t.position nulls last, s.sort_name, s.id)
    from sites s left join status_page_sites t on t.page_id = w.id and t.site_id = s.id
    where s.deleted_at is null and (s.customer_id = w.id or (w.id = 'agency' and t.site_id is not null))
  ), '[]') as sites`
const joins = sql`left join status_pages p on p.id = w.id left join customers c on c.id = w.id and c.deleted_at is null`

export async function findPages({ db }: Db): Promise<StatusPage[]> {
  const { rows } = await sql<StatusPage>`
    select ${columns} from (select 'agency' as id union select id from status_pages) w ${joins}
    order by w.id <> 'agency', c.name nulls last, w.id`.execute(db)
  return rows
}

/** undefined where there is no such customer. */
export async function findPage({ db }: Db, id: string): Promise<StatusPage | undefined> {
  const { rows } = await sql<StatusPage>`
    select ${columns} from (select ${id}::text as id) w ${joins}
    where w.id = 'agency' or c.id is not null or p.id is not null`.execute(db)
  return rows[0]
}

type Saved = Pick<StatusPage, 'id' | 'slug' | 'title' | 'is_on' | 'version'> & { at: Date; by: string }

/** Answers false where somebody else was faster. */
export async function savePage(
  { db }: Db,
  { id, slug, title, is_on, version, at, by }: Saved,
  sites: readonly { site_id: string; label: string | null }[],
): Promise<boolean> {
  const { rows } = await sql`
    insert into status_pages as p (id, slug, title, is_on, updated_at, updated_by)
    values (${id}, ${slug}, ${title}, ${is_on}, ${at}, ${by})
    on conflict (id) do update set slug = excluded.slug, title = excluded.title, is_on = excluded.is_on,
      version = p.version + 1, updated_at = excluded.updated_at, updated_by = excluded.updated_by
    where p.version = ${version}
    returning id`.execute(db)
  if (rows.length === 0) return false
  await sql`delete from status_page_sites where page_id = ${id}`.execute(db)
  const shown = sites.map((site, position) => ({ ...site, position }))
  await sql`
    insert into status_page_sites (page_id, site_id, position, label)
    select ${id}, site_id, position, label
    from jsonb_to_recordset(${toJson(shown)}::jsonb) as s (site_id text, position integer, label text)`.execute(db)
  return true
}

/** Which of these may stand on the page: of the agency any site, of a customer their own. */
export async function findAllowed({ db }: Db, id: string, siteIds: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select s.id from sites s where s.id = any(${[...siteIds]}::text[]) and s.deleted_at is null
      and (${id} = 'agency' or s.customer_id = ${id})`.execute(db)
  return new Set(rows.map((row) => row.id))
}

export async function isSlugTaken({ db }: Db, slug: string, byOtherThan: string): Promise<boolean> {
  const { rows } = await sql`select from status_pages where slug = ${slug} and id <> ${byOtherThan}`.execute(db)
  return rows.length > 0
}

export async function findUpdates({ db }: Db, incidentId: string): Promise<PublicUpdate[]> {
  const { rows } = await sql<PublicUpdate>`
    select id, iso_utc(at) as at, text, actor from incident_public_updates where incident_id = ${incidentId}
    order by position desc limit 200`.execute(db)
  return rows
}

export async function findUpdate({ db }: Db, id: string): Promise<PublicUpdate | undefined> {
  const { rows } = await sql<PublicUpdate>`
    select id, iso_utc(at) as at, text, actor from incident_public_updates where id = ${id}`.execute(db)
  return rows[0]
}

type NewUpdate = { id: string; incidentId: string; at: Date; actor: string; text: string }

export async function insertUpdate({ db }: Db, { id, incidentId, at, actor, text }: NewUpdate): Promise<void> {
  await sql`
    insert into incident_public_updates (id, incident_id, at, actor, text)
    values (${id}, ${incidentId}, ${at}, ${actor}, ${text})`.execute(db)
}

/** Of a customer who is erased: its title and address may say who they were. */
export async function forgetStatusPage({ db }: Db, customerId: string): Promise<void> {
  await sql`delete from status_pages where id = ${customerId}`.execute(db)
}
