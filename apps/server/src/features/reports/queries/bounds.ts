import type { Pool } from 'pg'
import { runStatement } from '../../../platform/statements.ts'
import type { Days } from '../range.ts'

export type Part = { name: string; from: string; until: string; partial: boolean }
export type Bounds = {
  /** `open`: the end for questions. Of a range that is not over, what Stripe's clock has ahead of ours is part of it too. */
  current: { from: string; until: string; open: string }
  compared: { from: string; until: string }
  months: Part[]
  days: Part[]
}

// A range that is not over is compared with as much of the other one. Days begin where the zone says, whatever its clocks do.
const text = `with w as (
    select $1::text as zone, $2::date as first, $3::date as last, $4::date as c_first, $5::date as c_last, $6::timestamptz as now
  ),
  c as (
    select w.*, first::timestamp at time zone zone as "from", c_first::timestamp at time zone zone as c_from,
      least((last + 1)::timestamp at time zone zone, now) as until,
      case
        when (last + 1)::timestamp at time zone zone <= now then (c_last + 1)::timestamp at time zone zone
        else greatest(
          c_first::timestamp at time zone zone,
          (c_last + ((now at time zone zone) - last::timestamp)) at time zone zone
        )
      end as c_until
    from w
  ),
  parts as (
    select u.unit, p.start, greatest(p.start at time zone c.zone, c."from") as "from",
      least((p.start + u.step) at time zone c.zone, c.until) as until,
      p.start < c.first or (p.start + u.step) at time zone c.zone > c.until as partial
    from c, (values ('month', interval '1 month'), ('day', interval '1 day')) u (unit, step),
      generate_series(date_trunc(u.unit, c.first::timestamp), c.last::timestamp, u.step) p (start)
  )
select json_build_object(
  'current', json_build_object('from', iso_utc("from"), 'until', iso_utc(until),
    'open', iso_utc(case when until < now then until else now + interval '1 hour' end)),
  'compared', json_build_object('from', iso_utc(c_from), 'until', iso_utc(c_until)),
  'months', (
    select json_agg(json_build_object('name', to_char(start, 'YYYY-MM'), 'from', iso_utc(p."from"), 'until', iso_utc(p.until),
      'partial', partial) order by start) from parts p where unit = 'month'
  ),
  'days', (
    select json_agg(json_build_object('name', to_char(start, 'YYYY-MM-DD'), 'from', iso_utc(p."from"), 'until', iso_utc(p.until),
      'partial', partial) order by start) from parts p where unit = 'day'
  )
)::text as bounds from c`

export async function findBounds(
  pool: Pool,
  { timeZone, days, compared, now }: { timeZone: string; days: Days; compared: Days; now: Date },
): Promise<Bounds> {
  const values = [timeZone, days.first, days.last, compared.first, compared.last, now]
  const [row] = await runStatement<{ bounds: string }>(pool, { text, values, prepare: true })
  return JSON.parse(row?.bounds ?? '') as Bounds
}
