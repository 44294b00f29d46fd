import { sql } from 'kysely'
import type { AppContext } from '../../../context.ts'
import { rolloutName } from '../job-settings.ts'

export type StepPayload = { enabled: boolean; rollout_percentage: number; wait_minutes: number }
export type RolloutOptions = { starts_at: string | null; needs_green: boolean }

export type RolloutRow = {
  id: string
  flag_id: string
  state: 'waiting' | 'running' | 'done' | 'failed' | 'cancelled'
  options: RolloutOptions
  actor_name: string
  created_at: Date
  steps: { state: string; payload: StepPayload; note: string | null; finished_at: string | null }[]
}

/** The newest of each flag. */
export async function findLastRollouts({ db }: Pick<AppContext, 'db'>): Promise<RolloutRow[]> {
  const { rows } = await sql<RolloutRow>`
    select distinct on (r.subject) r.id, r.subject as flag_id, r.state, r.options, r.actor_name, r.created_at, (
      select jsonb_agg(jsonb_build_object('state', s.state, 'payload', s.payload, 'note', s.note,
        'finished_at', iso_utc(s.finished_at)) order by s.position)
      from run_steps s where s.run_id = r.id
    ) as steps
    from runs r where r.name = ${rolloutName}
    order by r.subject, r.created_at desc, r.id desc`.execute(db)
  return rows
}

export type Signals = {
  /** Names of sites that came to be down or degraded. */
  troubled: string[]
  unchecked: number
  errors: number
  refunds: number
}

/** What happened to these sites and their customers since a moment. */
export async function findSignals(
  { db }: Pick<AppContext, 'db'>,
  since: Date,
  { sites, customers }: { sites: readonly string[]; customers: readonly string[] },
): Promise<Signals> {
  const { rows } = await sql<Signals>`
    with watched as materialized (
      select id, site_name, health_status, health_checked_at from sites
      where id = any(${[...sites]}::text[]) and deleted_at is null and at_provider in ('served', 'resuming', 'still_served')
    )
    select
      (select coalesce(jsonb_agg(w.site_name order by w.site_name), '[]') from watched w
        where w.health_status in ('down', 'degraded')
          -- What was broken before is not the flag's doing.
          and coalesce((
            select p.health from site_probes p where p.site_id = w.id and p.at <= ${since} order by p.at desc limit 1
          ), 'healthy') not in ('down', 'degraded')) as troubled,
      (select count(*)::integer from watched where health_checked_at <= ${since}) as unchecked,
      (select count(*)::integer from site_probes p join watched w on w.id = p.site_id
        where p.at > ${since} and p.status_code >= 500) as errors,
      (select count(*)::integer from refunds r where r.customer_id = any(${[...customers]}::text[])
        and r.created_at > ${since} and r.deleted_at is null and r.status in ('succeeded', 'pending')) as refunds`.execute(
    db,
  )
  return rows[0] ?? { troubled: [], unchecked: 0, errors: 0, refunds: 0 }
}
