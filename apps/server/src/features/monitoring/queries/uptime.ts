import type { UptimeDay } from '@agency/contract/monitoring'
import { type RawBuilder, sql } from 'kysely'
import type { AppContext } from '../../../context.ts'
import { countedHealth, findRolledUntil, spansOf } from '../../probes/index.ts'
import { dayMs, hourMs, hourOf } from '../intervals.ts'
import type { KnownTime } from '../uptime.ts'
import { findServicesRolledUntil, serviceSpans } from './roll-up.ts'

type Db = Pick<AppContext, 'db'>

/** What is known of one site or service: of the last day by whole hours, and by days in UTC. */
export type Seen = { id: string; day: KnownTime | null; days: UptimeDay[] }

type Source = {
  /** Of whom; the tables name them so. */
  key: 'site_id' | 'key'
  hours: 'counted_site_hours' | 'service_hours'
  days: 'counted_site_days' | 'service_days'
  ids: readonly string[]
  /** What was measured since the newest hour that was made, as hours. */
  running: RawBuilder<unknown>
}

const barDays = 90

/** Whole hours, the running one among them. */
const dayStart = (now: number) => new Date(hourOf(now) - dayMs + hourMs)

const runningOf = ({ key, running }: Source) => sql`
  select ${sql.ref(key)} as id, span, known_seconds, down_seconds, degraded_seconds, maintenance_seconds
  from (${running}) spans`

/** Over the table `running`. */
const lastDayOf = ({ key, hours, ids }: Source, now: number) => sql`
  select id, json_build_object('known_seconds', sum(known_seconds), 'down_seconds', sum(down_seconds)) as day
  from (
    select ${sql.ref(key)} as id, known_seconds, down_seconds from ${sql.table(hours)}
    where ${sql.ref(key)} = any(${ids}) and hour >= ${dayStart(now)}
    union all select id, known_seconds, down_seconds from running where span >= ${dayStart(now)}
  ) h group by id`

const barColumns = sql`known_seconds, down_seconds, degraded_seconds, maintenance_seconds`

async function findSeen({ db }: Db, source: Source, now: number): Promise<Seen[]> {
  const { key, days, ids } = source
  const first = sql`(${new Date(now)}::timestamptz at time zone 'UTC')::date - ${barDays - 1}::integer`
  const { rows } = await sql<Seen & { made: UptimeDay[]; running: UptimeDay[] }>`
    with running as materialized (${runningOf(source)}),
    last_day as (${lastDayOf(source, now)}),
    made as (
      select id, json_agg(d order by day) as days
      from (
        select ${sql.ref(key)} as id, day, ${barColumns} from ${sql.table(days)}
        where ${sql.ref(key)} = any(${ids}) and day >= ${first}
      ) d group by id
    ), unmade as (
      select id, json_agg(d order by day) as days
      from (
        select id, (span at time zone 'UTC')::date as day, sum(known_seconds) as known_seconds,
          sum(down_seconds) as down_seconds, sum(degraded_seconds) as degraded_seconds,
          sum(maintenance_seconds) as maintenance_seconds
        from running group by 1, 2
      ) d where day >= ${first} group by id
    )
    select id, l.day, coalesce(m.days, '[]') as made, coalesce(u.days, '[]') as running
    from made m full join unmade u using (id) full join last_day l using (id)
  `.execute(db)
  return rows.map(({ id, day, made, running }) => ({ id, day, days: together(made, running) }))
}

/** The newest day is made in part, and the rest of it is running. */
function together(made: readonly UptimeDay[], running: readonly UptimeDay[]): UptimeDay[] {
  const days = new Map<string, UptimeDay>()
  for (const { day, known_seconds, down_seconds, degraded_seconds, maintenance_seconds } of [...made, ...running]) {
    const before = days.get(day)
    days.set(day, {
      day,
      known_seconds: known_seconds + (before?.known_seconds ?? 0),
      down_seconds: down_seconds + (before?.down_seconds ?? 0),
      degraded_seconds: degraded_seconds + (before?.degraded_seconds ?? 0),
      maintenance_seconds: maintenance_seconds + (before?.maintenance_seconds ?? 0),
    })
  }
  return [...days.values()]
}

/** Of these sites alone: the running hour is read from their looks. */
async function siteSource(ctx: Db, ids: readonly string[], now: number): Promise<Source> {
  const from = (await findRolledUntil(ctx)) ?? dayStart(now)
  // A look of this very moment counts.
  const running = spansOf(sql`r.site_id = any(${ids})`, from, new Date(now + 1), hourMs / 1000, countedHealth)
  return { key: 'site_id', hours: 'counted_site_hours', days: 'counted_site_days', ids, running }
}

export async function findSitesSeen(ctx: Db, ids: readonly string[], now: number): Promise<Map<string, Seen>> {
  if (ids.length === 0) return new Map()
  const seen = await findSeen(ctx, await siteSource(ctx, ids, now), now)
  return new Map(seen.map((of) => [of.id, of]))
}

/** The same without the days. */
export async function findSitesLastDay(ctx: Db, ids: readonly string[], now: number): Promise<Map<string, KnownTime>> {
  if (ids.length === 0) return new Map()
  const source = await siteSource(ctx, ids, now)
  const { rows } = await sql<{ id: string; day: KnownTime }>`
    with running as materialized (${runningOf(source)}) ${lastDayOf(source, now)}
  `.execute(ctx.db)
  return new Map(rows.map(({ id, day }) => [id, day]))
}

export async function findServicesSeen(ctx: Db, ids: readonly string[], now: number): Promise<Map<string, Seen>> {
  const from = (await findServicesRolledUntil(ctx)) ?? dayStart(now)
  const running = serviceSpans(new Date(hourOf(from.getTime())), new Date(now + 1))
  const seen = await findSeen(ctx, { key: 'key', hours: 'service_hours', days: 'service_days', ids, running }, now)
  return new Map(seen.map((of) => [of.id, of]))
}
