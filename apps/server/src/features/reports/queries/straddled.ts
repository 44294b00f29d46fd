/**
 * Totals are kept by the hour. A moment within an hour divides it: that hour is then added up from its rows. `$1` is the list
 * of moments between which there are parts, and `width_bucket` tells in which of them something falls, 0 being before all.
 */
export const moments = `moments as materialized (
    select $1::timestamptz[] as at
  ),
  divided as materialized (
    select distinct date_trunc('hour', m, 'UTC') as hour from moments, unnest(at) m where m <> date_trunc('hour', m, 'UTC')
  )`

/** The totals of whole hours of a table, with their part. */
export const wholeHours = (table: string, columns: string): string => `
    select width_bucket(h.hour, (select at from moments)) as part, ${columns}
    from ${table} h where h.hour not in (select hour from divided)`

/** Rows of the divided hours, by one of their moments. Looked up hour by hour: there are few of them, and many rows. */
export const rowsOf = (table: string, at: string, columns: string, where = 'true'): string => `
    select width_bucket(r.${at}, (select at from moments)) as part, ${columns}
    from divided d cross join lateral (
      select * from ${table} r where r.${at} >= d.hour and r.${at} < d.hour + interval '1 hour' offset 0
    ) r where ${where}`
