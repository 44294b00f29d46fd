import { sql } from 'kysely'
import type { AppContext } from '../../../context.ts'

type Db = Pick<AppContext, 'db'>

export type ChangeRow = {
  id: string
  at: Date
  kind: 'deployment' | 'environment' | 'dns' | 'site' | 'setting' | 'plan'
  action: string
  actor: string | null
  site_id: string | null
  site_name: string | null
  customer_id: string | null
  /** Of a deployment: how it ended, and whether it took another one back. */
  status: string | null
  name: string | null
}

const mostChanges = 200

/** What was changed in a span: deployments that reached a site, and what the audit log has of sites, domains and settings. */
export async function findChanges({ db }: Db, from: Date, until: Date): Promise<ChangeRow[]> {
  const { rows } = await sql<ChangeRow>`
    (select d.id, coalesce(d.completed_at, d.started_at) as at, 'deployment' as kind, d.kind as action,
      d.actor_name as actor, s.id as site_id, s.site_name, s.customer_id, d.status, d.version as name
    from deployments d join sites s on s.id = d.site_id
    where d.status in ('success', 'deploying', 'building')
      and coalesce(d.completed_at, d.started_at) >= ${from} and coalesce(d.completed_at, d.started_at) <= ${until}
    order by 2 desc limit ${mostChanges})
    union all
    (select e.id::text, e.at, case
        when e.action in ('site.update_environment', 'site.roll_back_environment') then 'environment'
        when e.resource_type in ('domain', 'zone') then 'dns'
        when e.resource_type = 'site' then 'site'
        when e.resource_type = 'subscription' then 'plan'
        else 'setting' end, e.action, e.actor_name, s.id, s.site_name, s.customer_id, null,
      coalesce(e.after ->> 'name', e.after ->> 'key', e.after ->> 'domain')
    from audit_entries e left join sites s on e.resource_type = 'site' and s.id = e.resource_id
    where e.at >= ${from} and e.at <= ${until} and e.outcome = 'done' and (
      e.action in ('site.update', 'site.update_settings', 'site.set_status', 'site.suspend', 'site.resume',
        'site.update_environment', 'site.roll_back_environment', 'domain.purge_cache', 'zone.purge', 'settings.change',
        'change_plan')
    )
    order by e.at desc limit ${mostChanges})`.execute(db)
  return rows
}

/** The sites of an incident and their customers. */
export async function findAffected({ db }: Db, incidentId: string): Promise<{ sites: string[]; customers: string[] }> {
  const { rows } = await sql<{ id: string; customer_id: string | null }>`
    select distinct s.id, s.customer_id from alerts a join alert_sites t on t.alert_id = a.id
      join sites s on s.id = t.site_id
    where a.incident_id = ${incidentId}`.execute(db)
  return { sites: rows.map(({ id }) => id), customers: rows.flatMap(({ customer_id }) => customer_id ?? []) }
}
