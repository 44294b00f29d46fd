/**
 * Totals are kept by the hour. A moment within an hour divides it: that hour is then added up from its rows. `$1` is the list
 * of moments, in their order, between which there are parts; part 0 is what was before all of them.
 */
export const moments = `moments as materialized (
    select $1::timestamptz[] as at
  ),
  divided as materialized (
    select distinct date_trunc('hour', m, 'UTC') as hour from moments, unnest(at) m where m <> date_trunc('hour', m, 'UTC')
  ),
  whole as materialized (
    select n as part,
      case when n = 0 then '-infinity' else date_trunc('hour', at[n] + interval '1 hour' - interval '1 microsecond', 'UTC') end as since,
      date_trunc('hour', at[n + 1], 'UTC') as until
    from moments, generate_series(0, cardinality(at) - 1) n
  )`

/** The totals of the whole hours of each part from `first` on, by `keys`; `sums` are columns of the table with the names they get. */
export function wholeHours(
  table: string,
  keys: readonly string[],
  sums: Readonly<Record<string, string>>,
  first: 0 | 1,
): string {
  const added = Object.entries(sums).map(([name, column]) => `sum(${column}) as ${name}`)
  return `
    select w.part, h.*
    from whole w cross join lateral (
      select ${[...keys, ...added].join(', ')} from ${table}
      where hour >= w.since and hour < w.until group by ${keys.join(', ')}
    ) h where w.part >= ${first}`
}

/** Rows of the divided hours, by one of their moments. Looked up hour by hour: there are few of them, and many rows. */
export const rowsOf = (table: string, at: string, columns: string, where = 'true'): string => `
    select width_bucket(r.${at}, (select at from moments)) as part, ${columns}
    from divided d cross join lateral (
      select * from ${table} r where r.${at} >= d.hour and r.${at} < d.hour + interval '1 hour' offset 0
    ) r where ${where}`
