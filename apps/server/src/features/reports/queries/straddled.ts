/**
 * Totals are kept by the hour, and by the day (UTC) once more. A part between two moments is made of the days that are whole in
 * it and of the hours around them. A moment within an hour divides it: that hour is then added up from its rows. `$1` is the
 * list of moments, in their order, between which there are parts; part 0 is what was before all of them.
 */
export const moments = `moments as materialized (
    select $1::timestamptz[] as at
  ),
  divided as materialized (
    select distinct date_trunc('hour', m, 'UTC') as hour from moments, unnest(at) m where m <> date_trunc('hour', m, 'UTC')
  ),
  whole as materialized (
    select part, since, until, date_trunc('day', since + interval '1 day' - interval '1 microsecond', 'UTC') as first_day,
      date_trunc('day', until, 'UTC') as days_until
    from (
      select n as part,
        case when n = 0 then '-infinity' else date_trunc('hour', at[n] + interval '1 hour' - interval '1 microsecond', 'UTC') end as since,
        date_trunc('hour', at[n + 1], 'UTC') as until
      from moments, generate_series(0, cardinality(at) - 1) n
    ) p
  ),
  whole_hours as materialized (
    select part, since, least(first_day, until) as until from whole where since < least(first_day, until)
    union all
    select part, greatest(days_until, first_day), until from whole where first_day < until and days_until < until
  ),
  whole_days as materialized (select part, first_day as since, days_until as until from whole where first_day < days_until)`

export type TotalsByTime = 'mrr' | 'revenue' | 'segment' | 'balance'

/** What is whole of each part from `first` on, by `keys`; `sums` are columns of the totals with the names they get. */
export function wholeTotals(
  of: TotalsByTime,
  keys: readonly string[],
  sums: Readonly<Record<string, string>>,
  first: 0 | 1,
): string {
  const added = Object.entries(sums).map(([name, column]) => `sum(${column}) as ${name}`)
  const columns = [...keys, ...added].join(', ')
  const wholeOf = (unit: 'hour' | 'day') => `
    select w.part, t.*
    from whole_${unit}s w cross join lateral (
      select ${columns} from ${of}_${unit}s
      where ${unit} >= w.since and ${unit} < w.until group by ${keys.join(', ')}
    ) t where w.part >= ${first}`
  return `${wholeOf('day')}
    union all${wholeOf('hour')}`
}

/** Rows of the divided hours, by one of their moments. Looked up hour by hour: there are few of them, and many rows. */
export const rowsOf = (table: string, at: string, columns: string, where = 'true'): string => `
    select width_bucket(r.${at}, (select at from moments)) as part, ${columns}
    from divided d cross join lateral (
      select * from ${table} r where r.${at} >= d.hour and r.${at} < d.hour + interval '1 hour' offset 0
    ) r where ${where}`
