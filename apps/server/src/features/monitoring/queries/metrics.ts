import type { MetricKey } from '@agency/contract/monitoring'
import { sql } from 'kysely'
import type { AppContext } from '../../../context.ts'
import { hourMs } from '../intervals.ts'

type Db = Pick<AppContext, 'db'>

export type MetricStep = { metric: MetricKey; at: Date; value: number; max: number }

const stepOf = (column: 'minute' | 'hour', stepS: number) =>
  sql`date_bin(make_interval(secs => ${stepS}), ${sql.ref(column)}, 'epoch')`

/** The means and the greatest of steps that hold a measurement. */
export async function findMinuteSteps({ db }: Db, from: Date, to: Date, stepS: number): Promise<MetricStep[]> {
  const { rows } = await sql<MetricStep>`
    select metric, ${stepOf('minute', stepS)} as at, avg(value)::real as value, max(max) as max
    from metric_minutes where minute >= ${from} and minute <= ${to} group by 1, 2 order by 1, 2
  `.execute(db)
  return rows
}

/** The same from whole hours, and from the minutes of those that are not made yet. */
export async function findHourSteps(
  { db }: Db,
  { from, rolledUntil, to, stepS }: { from: Date; rolledUntil: Date; to: Date; stepS: number },
): Promise<MetricStep[]> {
  const { rows } = await sql<MetricStep>`
    select metric, ${stepOf('hour', stepS)} as at, (sum(value * minutes) / sum(minutes))::real as value, max(max) as max
    from (
      select metric, hour, value, max, minutes from metric_hours where hour >= ${from} and hour < ${rolledUntil}
      union all
      select metric, date_trunc('hour', minute, 'UTC'), avg(value), max(max), count(*)
      from metric_minutes where minute >= ${rolledUntil} and minute <= ${to} group by 1, 2
    ) hours
    group by 1, 2 order by 1, 2
  `.execute(db)
  return rows
}

export type NewestMetric = { metric: MetricKey; value: number; at: Date }

export async function findNewest({ db }: Db, since: Date): Promise<NewestMetric[]> {
  const { rows } = await sql<NewestMetric>`
    select distinct on (metric) metric, value, minute as at from metric_minutes
    where minute > ${since} order by metric, minute desc
  `.execute(db)
  return rows
}

export type MetricNow = { metric: MetricKey; value: number | null; before: number | null }

/** The newest measurement since then, and the mean of the hour that ended at `before`. */
export async function findAgainst(
  { db }: Db,
  keys: readonly MetricKey[],
  { since, before }: { since: Date; before: Date },
): Promise<MetricNow[]> {
  const { rows } = await sql<MetricNow>`
    select k.metric,
      (select value from metric_minutes m where m.metric = k.metric and m.minute > ${since}
        order by minute desc limit 1) as value,
      (select avg(value)::real from metric_minutes m where m.metric = k.metric
        and m.minute > ${new Date(before.getTime() - hourMs)} and m.minute <= ${before}) as before
    from unnest(${keys}::text[]) with ordinality as k (metric, place) order by k.place
  `.execute(db)
  return rows
}
