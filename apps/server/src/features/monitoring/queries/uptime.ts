import type { UptimeDay } from '@agency/contract/monitoring'
import { type RawBuilder, sql } from 'kysely'
import type { AppContext } from '../../../context.ts'
import { findRolledUntil, spansOf } from '../../probes/index.ts'
import { dayMs, hourMs, hourOf } from '../intervals.ts'
import type { KnownTime } from '../uptime.ts'
import { findServicesRolledUntil, serviceSpans } from './roll-up.ts'

type Db = Pick<AppContext, 'db'>

/** What is known of one site or service: of the last day by whole hours, and by days in UTC. */
export type Seen = { id: string; day: KnownTime | null; days: UptimeDay[] }

type Source = {
  /** Of whom; the tables name them so. */
  key: 'site_id' | 'key'
  hours: 'site_probe_hours' | 'service_hours'
  days: 'site_probe_days' | 'service_days'
  ids: readonly string[]
  /** What was measured since the newest hour that was made, as hours. */
  running: RawBuilder<unknown>
}

const barDays = 90

/** Whole hours, the running one among them. */
const dayStart = (now: number) => new Date(hourOf(now) - dayMs + hourMs)

async function findSeen({ db }: Db, { key, hours, days, ids, running }: Source, now: number): Promise<Seen[]> {
  const since = dayStart(now)
  const id = sql.ref(key)
  const seconds = sql`known_seconds, down_seconds, degraded_seconds, maintenance_seconds`
  const { rows } = await sql<Seen>`
    with running as materialized (select ${id} as id, span, ${seconds} from (${running}) spans),
    last_day as (
      select id, json_build_object('known_seconds', sum(known_seconds), 'down_seconds', sum(down_seconds)) as day
      from (
        select ${id} as id, known_seconds, down_seconds from ${sql.table(hours)}
        where ${id} = any(${ids}) and hour >= ${since}
        union all select id, known_seconds, down_seconds from running where span >= ${since}
      ) h group by id
    ), bars as (
      select id, json_agg(json_build_object('day', day, 'known_seconds', known_seconds, 'down_seconds', down_seconds,
        'degraded_seconds', degraded_seconds, 'maintenance_seconds', maintenance_seconds) order by day) as days
      from (
        select id, day, sum(known_seconds) as known_seconds, sum(down_seconds) as down_seconds,
          sum(degraded_seconds) as degraded_seconds, sum(maintenance_seconds) as maintenance_seconds
        from (
          select ${id} as id, day, ${seconds} from ${sql.table(days)}
          where ${id} = any(${ids}) and day > (${new Date(now)}::timestamptz at time zone 'UTC')::date - ${barDays}::integer
          union all select id, (span at time zone 'UTC')::date, ${seconds} from running
        ) d group by id, day
      ) d group by id
    )
    select id, l.day, coalesce(b.days, '[]') as days from bars b full join last_day l using (id)
  `.execute(db)
  return rows
}

/** Of these sites alone: the running hour is read from their looks. */
export async function findSitesSeen(ctx: Db, ids: readonly string[], now: number): Promise<Map<string, Seen>> {
  if (ids.length === 0) return new Map()
  const from = (await findRolledUntil(ctx)) ?? dayStart(now)
  // A look of this very moment counts.
  const running = spansOf(sql`r.site_id = any(${ids})`, from, new Date(now + 1), hourMs / 1000)
  const source = { key: 'site_id', hours: 'site_probe_hours', days: 'site_probe_days', ids, running } as const
  return new Map((await findSeen(ctx, source, now)).map((seen) => [seen.id, seen]))
}

export async function findServicesSeen(ctx: Db, ids: readonly string[], now: number): Promise<Map<string, Seen>> {
  const from = (await findServicesRolledUntil(ctx)) ?? dayStart(now)
  const running = serviceSpans(new Date(hourOf(from.getTime())), new Date(now + 1))
  const source = { key: 'key', hours: 'service_hours', days: 'service_days', ids, running } as const
  return new Map((await findSeen(ctx, source, now)).map((seen) => [seen.id, seen]))
}
