import { sql } from 'kysely'
import type { AppContext } from '../../../context.ts'
import { countedHealth, spansOf } from '../../probes/index.ts'
import { hourMs } from '../intervals.ts'

type Db = Pick<AppContext, 'db'>

export type Reach = { siteIds: string[]; from: Date; to: Date }

/** The sites that these alerts are about, and when; undefined where nothing is or was taken out of their figures. */
export async function findReach({ db }: Db, alertIds: readonly string[], now: Date): Promise<Reach | undefined> {
  const { rows } = await sql<{ siteIds: string[] | null; from: Date; to: Date; matters: boolean }>`
    with reach as (
      select array_agg(distinct t.site_id) as ids, date_trunc('hour', saw_from(min(a.opened_at)), 'UTC') as "from",
        -- The last look before the end tells of some of the hour after it.
        date_trunc('hour', max(coalesce(a.resolved_at, ${now})) + interval '2 hours', 'UTC') + interval '1 hour' as "to",
        bool_or(i.is_false_positive) as is_false
      from alerts a join alert_sites t on t.alert_id = a.id left join incidents i on i.id = a.incident_id
      where a.id = any(${[...alertIds]}::text[])
    )
    select ids as "siteIds", "from", "to", coalesce(is_false, false) or exists (
        select from site_excused_hours x where x.site_id = any(ids) and x.hour >= "from" and x.hour < "to"
      ) as matters
    from reach`.execute(db)
  const [row] = rows
  return row?.siteIds && row.matters ? { siteIds: row.siteIds, from: row.from, to: row.to } : undefined
}

const secondsIn = ['known_seconds', 'down_seconds', 'degraded_seconds'] as const
const differences = sql.join(secondsIn.map((name) => sql`m.${sql.ref(name)} - c.${sql.ref(name)} as ${sql.ref(name)}`))

/** Made anew from the looks. */
export async function remakeExcused({ db }: Db, { siteIds, from, to }: Reach): Promise<void> {
  const filter = sql`r.site_id = any(${siteIds})`
  await sql`delete from site_excused_hours where site_id = any(${siteIds}) and hour >= ${from} and hour < ${to}`.execute(
    db,
  )
  await sql`
    insert into site_excused_hours (site_id, hour, known_seconds, down_seconds, degraded_seconds)
    select m.site_id, m.span, ${differences}
    from (${spansOf(filter, from, to, hourMs / 1000)}) m
    join (${spansOf(filter, from, to, hourMs / 1000, countedHealth)}) c on c.site_id = m.site_id and c.span = m.span
    where m.known_seconds > c.known_seconds`.execute(db)
}

const isFalse = sql`saw_from(a.opened_at) < h.hour + interval '1 hour' and coalesce(a.resolved_at, 'infinity') > h.hour
  and i.is_false_positive`

/**
 * Of hours whose looks are gone: what was taken out from looks stays as it is, and otherwise as much is taken out as the alert
 * lasted within the hour.
 */
export async function estimateExcused({ db }: Db, { siteIds, from, to }: Reach): Promise<void> {
  await sql`
    delete from site_excused_hours h where site_id = any(${siteIds}) and hour >= ${from} and hour < ${to} and not exists (
      select from alert_sites t join alerts a on a.id = t.alert_id join incidents i on i.id = a.incident_id
      where t.site_id = h.site_id and ${isFalse}
    )`.execute(db)
  await sql`
    insert into site_excused_hours (site_id, hour, known_seconds, down_seconds, degraded_seconds)
    select site_id, hour, down + degraded, down, degraded from (
      select h.site_id, h.hour, least(h.down_seconds, f.seconds) as down,
        least(h.degraded_seconds, f.seconds - least(h.down_seconds, f.seconds)) as degraded
      from site_probe_hours h
      join lateral (
        select max(extract(epoch from least(coalesce(a.resolved_at, 'infinity'), h.hour + interval '1 hour')
          - greatest(saw_from(a.opened_at), h.hour)))::integer as seconds
        from alert_sites t join alerts a on a.id = t.alert_id join incidents i on i.id = a.incident_id
        where t.site_id = h.site_id and ${isFalse}
      ) f on f.seconds is not null
      where h.site_id = any(${siteIds}) and h.hour >= ${from} and h.hour < ${to}
    ) e where down + degraded > 0
    on conflict do nothing`.execute(db)
}

/** Alerts of false positives that still go on, or did a moment ago. */
export async function findRunningFalse({ db }: Db, since: Date): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select a.id from incidents i join alerts a on a.incident_id = i.id
    where i.is_false_positive and (a.resolved_at is null or a.resolved_at >= ${since})`.execute(db)
  return rows.map(({ id }) => id)
}
