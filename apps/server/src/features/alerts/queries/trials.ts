import { type RawBuilder, sql } from 'kysely'
import type { AppContext } from '../../../context.ts'

type Db = Pick<AppContext, 'db'>

/** Spans in which a figure was above the threshold; `until` is null for one that lasts. */
export type Runs = {
  runs: { from: Date; until: Date | null; name: string | null; peak: number }[]
  measuredSince: Date | null
}

/**
 * Neighbouring steps above the threshold are one span. `measured` has the columns subject, name, at, value; a step that is
 * missing ends a span, as one below does.
 */
async function findRuns({ db }: Db, measured: RawBuilder<unknown>, stepS: number, threshold: number): Promise<Runs> {
  const { rows } = await sql<{ from: Date; until: Date | null; name: string | null; peak: number; since: Date | null }>`
    with measured as (${measured}),
    above as (
      select subject, name, at, value,
        at - row_number() over (partition by subject order by at) * make_interval(secs => ${stepS}) as run
      from measured where value > ${threshold}
    ),
    runs as (
      select subject, min(name) as name, min(at) as from_at, max(at) + make_interval(secs => ${stepS}) as until_at,
        max(value) as peak
      from above group by subject, run
    )
    select r.from_at as "from", r.until_at as until, r.name, r.peak, s.since
    from (select min(at) as since from measured) s left join runs r on true
    order by r.from_at`.execute(db)
  return {
    runs: rows.filter(({ from }) => from !== null).map(({ from, until, name, peak }) => ({ from, until, name, peak })),
    measuredSince: rows[0]?.since ?? null,
  }
}

const stepS = 300

/** Five minutes each as the rule takes them, where minutes are kept; whole hours before that. */
export async function findMetricRuns(ctx: Db, metric: string, threshold: number, since: Date): Promise<Runs> {
  const minutes = sql`
    select metric as subject, null::text as name, date_bin('5 minutes', minute, 'epoch') as at, avg(value) as value
    from metric_minutes where metric = ${metric} and minute >= ${since} group by metric, 3 having count(*) >= 3`
  const hours = sql`
    select metric as subject, null::text as name, hour as at, value from metric_hours
    where metric = ${metric} and hour >= ${since}
      and hour < coalesce((select min(minute) from metric_minutes where metric = ${metric}), 'infinity')`
  const [recent, before] = [await findRuns(ctx, minutes, stepS, threshold), await findRuns(ctx, hours, 3600, threshold)]
  return { runs: [...before.runs, ...recent.runs], measuredSince: before.measuredSince ?? recent.measuredSince }
}

export const findSlowRuns = (ctx: Db, threshold: number, since: Date): Promise<Runs> =>
  findRuns(
    ctx,
    sql`select h.site_id as subject, s.site_name as name, h.hour as at, h.response_ms as value
      from site_probe_hours h join sites s on s.id = h.site_id
      where h.hour >= ${since} and h.response_ms is not null and s.deleted_at is null`,
    3600,
    threshold,
  )

/** Each hour against the mean of the week before it. */
export const findPaymentRuns = (ctx: Db, threshold: number, since: Date): Promise<Runs> =>
  findRuns(
    ctx,
    sql`
      with failed as (
        select date_trunc('hour', created_at) as at, count(*) as value from payments
        where counts_as_failed and deleted_at is null and created_at >= ${since}::timestamptz - interval '7 days'
        group by 1
      )
      select 'payments' as subject, null::text as name, f.at, f.value::double precision as value from failed f
      where f.at >= ${since} and f.value >= 3.0 / 168 * coalesce((
        select sum(b.value) from failed b where b.at < f.at and b.at >= f.at - interval '7 days'
      ), 0)`,
    3600,
    // As many as the threshold alarm too.
    threshold - 1,
  )
