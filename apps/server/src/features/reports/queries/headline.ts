import type { Pool } from 'pg'
import { runStatement } from '../../../platform/statements.ts'

export type Headline = { at: string; subscriptions: number; sites: number }

// Whole days (UTC) from their totals, the day of the moment from the rows.
const text = `with m as (
    select at, (at at time zone 'UTC')::date as day, date_trunc('day', at, 'UTC') as midnight from unnest($1::timestamptz[]) at
  ),
  moments as materialized (select array_agg(at order by at) as at from m),
  -- How many sites more there were from each moment on.
  steps as materialized (
    select part, sum(sites) as sites
    from (
      select width_bucket(created_at, (select at from moments)) as part, 1 as sites from sites
      union all
      select width_bucket(deleted_at, (select at from moments)), -1 from sites where deleted_at is not null
    ) s group by part
  )
  select iso_utc(m.at) as at,
    (
      coalesce((select sum(d.started - d.ended) from daily_subscriptions d where d.day < m.day), 0)
      + (
        select count(*) from subscriptions s
        where s.running_from is not null and s.deleted_at is null and s.running_from >= m.midnight and s.running_from < m.at
      )
      - (
        select count(*) from subscriptions s
        where s.running_from is not null and s.deleted_at is null and s.ended_at >= m.midnight and s.ended_at < m.at
      )
    )::bigint as subscriptions,
    coalesce((
      select sum(s.sites) from steps s where s.part < array_position((select at from moments), m.at)
    ), 0)::bigint as sites
  from m order by m.at`

/** What there was at each of these moments. */
export const findHeadline = (pool: Pool, at: readonly string[]): Promise<Headline[]> =>
  runStatement<Headline>(pool, { text, values: [at], prepare: true })

export type ResponseTime = { current: number | null; compared: number | null }
type Days = { first: string; last: string }
type Answers = { day: string; answered: number; response_ms: number }
type Totals = Record<'current' | 'compared', { answered: number; response_ms: number }>

const part = (from: number) => `json_build_object(
    'answered', coalesce(sum(answered) filter (where day between $${from}::date and $${from + 1}::date), 0)::float8,
    'response_ms', coalesce(sum(response_us) filter (where day between $${from}::date and $${from + 1}::date), 0)::float8 / 1000)`
const responseText = `select ${part(1)} as current, ${part(3)} as compared from probe_day_totals where answered > 0`

/**
 * The mean of all answers, in milliseconds; null where nothing answered. Days are UTC, as the monitor keeps them; `running`
 * are the answers of hours that are in no total yet.
 */
export async function findResponseTime(
  pool: Pool,
  ranges: Record<'current' | 'compared', Days>,
  running: readonly Answers[],
): Promise<ResponseTime> {
  const { current, compared } = ranges
  const values = [current.first, current.last, compared.first, compared.last]
  const [totals] = await runStatement<Totals>(pool, { text: responseText, values, prepare: true })
  const meanOf = (name: 'current' | 'compared'): number | null => {
    const { first, last } = ranges[name]
    const parts = running.filter(({ day }) => day >= first && day <= last)
    const all = totals ? [totals[name], ...parts] : parts
    const answered = all.reduce((sum, one) => sum + one.answered, 0)
    return answered === 0 ? null : all.reduce((sum, one) => sum + one.response_ms, 0) / answered
  }
  return { current: meanOf('current'), compared: meanOf('compared') }
}

export async function findHome(pool: Pool): Promise<{ currency: string; as_of: string | null }> {
  const rows = await runStatement<{ currency: string; as_of: string | null }>(pool, {
    text: 'select default_currency() as currency, mirror_as_of() as as_of',
    values: [],
    prepare: true,
  })
  return rows[0] ?? { currency: 'usd', as_of: null }
}
