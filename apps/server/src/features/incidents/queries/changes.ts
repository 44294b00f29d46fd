import { sql } from 'kysely'
import type { AppContext } from '../../../context.ts'

type Db = Pick<AppContext, 'db'>

export type ChangeRow = {
  id: string
  at: Date
  kind: 'deployment' | 'environment' | 'dns' | 'site' | 'setting' | 'plan' | 'flag'
  action: string
  actor: string | null
  site_id: string | null
  site_name: string | null
  customer_id: string | null
  /** Of a change of a feature flag. */
  flag_id: string | null
  /** Of a deployment: how it ended, and whether it took another one back. */
  status: string | null
  name: string | null
  /** The one before: a deployment, or a version of the environment; null where it cannot be brought back. */
  undo_to: string | null
  undo_name: string | null
  /** The newest version of the environment, or of the flag. */
  newest: number | null
}

const mostChanges = 200

/** What was changed in a span: deployments that reached a site, and of these actions of the audit log those that were done. */
export async function findChanges(
  { db }: Db,
  { from, until, actions }: { from: Date; until: Date; actions: readonly string[] },
): Promise<ChangeRow[]> {
  const { rows } = await sql<ChangeRow>`
    (select d.id, coalesce(d.completed_at, d.started_at) as at, 'deployment' as kind, d.kind as action,
      d.actor_name as actor, s.id as site_id, s.site_name, s.customer_id, null::text as flag_id, d.status, d.version as name,
      b.id as undo_to, b.version as undo_name, null::integer as newest
    from deployments d join sites s on s.id = d.site_id
    left join lateral (
      select p.id, coalesce(p.version, p.id) as version from deployments p
      where p.site_id = d.site_id and p.status = 'success' and p.completed_at < d.completed_at and p.id <> d.id
        -- What came after it is in the way: that would be undone too.
        and not exists (
          select from deployments l where l.site_id = d.site_id and l.status = 'success' and l.completed_at > d.completed_at
        )
      order by p.completed_at desc limit 1
    ) b on d.status = 'success'
    where d.status in ('success', 'deploying', 'building')
      and coalesce(d.completed_at, d.started_at) >= ${from} and coalesce(d.completed_at, d.started_at) <= ${until}
    order by 2 desc limit ${mostChanges})
    union all
    (select e.id::text, e.at, case
        when e.action in ('site.update_environment', 'site.roll_back_environment') then 'environment'
        when e.resource_type in ('domain', 'zone') then 'dns'
        when e.resource_type = 'site' then 'site'
        when e.resource_type = 'subscription' then 'plan'
        when e.resource_type = 'feature_flag' then 'flag'
        else 'setting' end, e.action, e.actor_name, s.id, s.site_name, s.customer_id, f.id, null,
      coalesce(e.after ->> 'name', e.after ->> 'key', e.after ->> 'domain'),
      coalesce(v.version - 1, f.version - 1)::text, 'version ' || coalesce(v.version - 1, f.version - 1),
      coalesce(v.newest, f.version)
    from audit_entries e left join sites s on e.resource_type = 'site' and s.id = e.resource_id
    left join lateral (
      select x.version, max(x.version) over () as newest from site_environments x where x.site_id = s.id
      order by x.version desc limit 1
    ) v on e.action in ('site.update_environment', 'site.roll_back_environment') and v.version > 1
      -- Only what was changed last.
      and not exists (
        select from audit_entries l where l.resource_type = 'site' and l.resource_id = s.id and l.id > e.id
          and l.action in ('site.update_environment', 'site.roll_back_environment')
      )
    -- Likewise of a flag; an archived one stays as it is.
    left join feature_flags f on e.resource_type = 'feature_flag' and f.id = e.resource_id and f.version > 1
      and f.archived_at is null and e.after ->> 'version' = f.version::text
    where e.at >= ${from} and e.at <= ${until} and e.outcome = 'done' and e.action = any(${actions}::text[])
      -- Of what is first asked for and then done, the deed.
      and coalesce(e.after ->> 'state', 'done') = 'done'
    order by e.at desc limit ${mostChanges})`.execute(db)
  return rows
}

export type AffectedSite = { id: string; site_name: string; customer_id: string | null }

/** The sites of an incident, by name. */
export async function findAffected({ db }: Db, incidentId: string): Promise<AffectedSite[]> {
  const { rows } = await sql<AffectedSite>`
    select distinct s.id, s.site_name, s.customer_id from alerts a join alert_sites t on t.alert_id = a.id
      join sites s on s.id = t.site_id
    where a.incident_id = ${incidentId} order by s.site_name, s.id limit 500`.execute(db)
  return rows
}
