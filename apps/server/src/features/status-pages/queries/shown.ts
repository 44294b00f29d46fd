import { sql } from 'kysely'
import type { AppContext } from '../../../context.ts'

type Db = Pick<AppContext, 'db'>

export type ShownSite = {
  page_id: string
  site_id: string
  label: string
  health: 'healthy' | 'degraded' | 'down' | 'unknown'
  in_maintenance: boolean
  is_false: boolean
}

export type ShownPage = { id: string; slug: string | null; title: string }

/** Of customers only while they are there. */
export async function findShownPages({ db }: Db): Promise<ShownPage[]> {
  const { rows } = await sql<ShownPage>`
    select p.id, p.slug, p.title from status_pages p
    where p.is_on and (p.id = 'agency' or exists (
      select from customers c where c.id = p.id and c.deleted_at is null and c.hidden_at is null
    )) order by p.id`.execute(db)
  return rows
}

/** Sites that have left their customer are not shown on their page any more. */
export async function findShownSites({ db }: Db, now: Date): Promise<ShownSite[]> {
  const { rows } = await sql<ShownSite>`
    select t.page_id, s.id as site_id, coalesce(t.label, s.domain) as label, s.health_status as health,
      site_in_maintenance(s.id, s.status, ${now}) as in_maintenance,
      s.health_status in ('down', 'degraded') and is_false_alarm(s.id, ${now}) as is_false
    from status_page_sites t join status_pages p on p.id = t.page_id and p.is_on
    join sites s on s.id = t.site_id and s.deleted_at is null
    where t.page_id = 'agency' or s.customer_id = t.page_id
    order by t.page_id, t.position`.execute(db)
  return rows
}

export type ShownIncident = {
  id: string
  opened_at: string
  site_ids: string[]
  updates: { at: string; text: string }[]
}

/** Active ones that something public was said of. */
export async function findShownIncidents({ db }: Db): Promise<ShownIncident[]> {
  const { rows } = await sql<ShownIncident>`
    select i.id, iso_utc(i.opened_at) as opened_at,
      array(select distinct t.site_id from alerts a join alert_sites t on t.alert_id = a.id where a.incident_id = i.id) as site_ids,
      (select json_agg(json_build_object('at', iso_utc(u.at), 'text', u.text) order by u.position desc)
        from incident_public_updates u where u.incident_id = i.id) as updates
    from incidents i
    where i.resolved_at is null and not i.is_false_positive
      and exists (select from incident_public_updates u where u.incident_id = i.id)
    order by i.opened_at desc, i.id limit 20`.execute(db)
  return rows
}
