import { sql } from 'kysely'
import type { AppContext } from '../../../context.ts'
import { ringsName } from '../rings/names.ts'

type Db = Pick<AppContext, 'db'>

/** These sites in the order of the rings: those whose customers pay the least a month first. Those that are gone are left out. */
export async function findInOrder({ db }: Db, siteIds: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select s.id from sites s
    left join lateral (
      select sum(b.mrr) as mrr from subscriptions b where b.customer_id = s.customer_id and b.deleted_at is null
    ) pays on true
    where s.id = any(${[...siteIds]}::text[]) and s.deleted_at is null
    order by coalesce(pays.mrr, 0), s.customer_id nulls first, s.id`.execute(db)
  return rows.map(({ id }) => id)
}

export type Outcomes = { under_way: number; succeeded: number; failed: number }

export async function countOutcomes({ db }: Db, deploymentIds: readonly string[]): Promise<Outcomes> {
  const { rows } = await sql<Outcomes>`
    select count(*) filter (where status in ('queued', 'building', 'deploying'))::integer as under_way,
      count(*) filter (where status = 'success')::integer as succeeded,
      count(*) filter (where status in ('failed', 'cancelled'))::integer as failed
    from deployments where id = any(${[...deploymentIds]}::text[])`.execute(db)
  return rows[0] ?? { under_way: 0, succeeded: 0, failed: 0 }
}

export type RingPayload = {
  percentage: number
  site_ids: string[]
  /** Once it was begun. */
  deployment_ids: string[]
  skipped: number
  /** Failures before it that somebody has accepted. */
  accepted: number
}

export type RingsRow = {
  id: string
  state: 'waiting' | 'running' | 'done' | 'failed' | 'cancelled'
  options: { wait_minutes: number; reason: string | null }
  actor_name: string
  created_at: Date
  finished_at: Date | null
  steps: {
    name: string
    state: string
    payload: RingPayload
    note: string | null
    finished_at: string | null
    succeeded: number
    failed: number
    under_way: number
  }[]
}

/** Newest first, or the one that is named. */
export async function findRingRuns({ db }: Db, id: string | null, limit: number): Promise<RingsRow[]> {
  const { rows } = await sql<RingsRow>`
    select r.id, r.state, r.options, r.actor_name, r.created_at, r.finished_at, (
      select jsonb_agg(jsonb_build_object('name', s.name, 'state', s.state, 'payload', s.payload, 'note', s.note,
        'finished_at', iso_utc(s.finished_at), 'succeeded', o.succeeded, 'failed', o.failed, 'under_way', o.under_way
      ) order by s.position)
      from run_steps s cross join lateral (
        select count(*) filter (where d.status = 'success') as succeeded,
          count(*) filter (where d.status in ('failed', 'cancelled')) as failed,
          count(*) filter (where d.status in ('queued', 'building', 'deploying')) as under_way
        from jsonb_array_elements_text(s.payload -> 'deployment_ids') i join deployments d on d.id = i
      ) o where s.run_id = r.id
    ) as steps
    from runs r where r.name = ${ringsName} and (${id}::text is null or r.id = ${id})
    order by r.created_at desc, r.id desc limit ${limit}`.execute(db)
  return rows
}
