import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/context.ts'

let t: TestContext
beforeAll(async () => {
  t = await createTestContext()
  await t.ctx.pool.query(`
    insert into domains (id, connection, name, paused, name_servers, original_name_servers)
    select 'zone_' || n, case when n < 4 then 'here' else 'elsewhere' end, 'zone-' || n || '.example', false, '{}', '{}'
    from generate_series(1, 4) n;
    insert into sites (id, site_name, domain, status, created_at, updated_at)
    select 'site_000000000000000' || n, 'Site ' || n, 'site-' || n || '.example', 'active', now(), now()
    from generate_series(1, 3) n`)
})
beforeEach(() => t.ctx.pool.query('delete from domain_analytics_days; delete from site_probe_days'))
afterAll(() => t.close())

const rowsOf = async (text: string, values: unknown[] = []) => (await t.ctx.pool.query(text, values)).rows

// More than a year, so that ranges hold whole quarters and months, and parts of some.
const day = fc
  .integer({ min: 0, max: 400 })
  .map((days) => new Date(Date.UTC(2026, 0, 20 + days)).toISOString().slice(0, 10))
const count = fc.integer({ min: 0, max: 1000 })
const known = fc.option(count, { nil: null })

const zoneDay = fc.record({
  zone: fc.integer({ min: 1, max: 5 }),
  ...{ day, requests: count, bytes: count, cached: known, views: known, visits: known, errors: known },
})
/** Each call writes some days, over those that are there; some are taken away again. */
const zoneWrites = fc.array(fc.oneof(fc.array(zoneDay, { maxLength: 12 }), fc.record({ before: day })), {
  maxLength: 8,
})

async function writeZoneDays(write: typeof zoneWrites extends fc.Arbitrary<(infer W)[]> ? W : never): Promise<void> {
  if (!Array.isArray(write)) {
    await rowsOf('delete from domain_analytics_days where day < $1::date', [write.before])
    return
  }
  const once = [...new Map(write.map((one) => [`${one.zone} ${one.day}`, one])).values()]
  await rowsOf(
    `insert into domain_analytics_days (zone_id, day, requests, bytes, cached_requests, page_views, visits, server_errors,
       is_complete, is_sampled, fetched_at)
     select 'zone_' || zone, day, requests, bytes, cached, views, visits, errors, true, false, now()
     from json_to_recordset($1::json) as w (zone int, day date, requests bigint, bytes bigint, cached bigint, views bigint,
       visits bigint, errors bigint)
     on conflict (zone_id, day) do update set requests = excluded.requests, bytes = excluded.bytes,
       cached_requests = excluded.cached_requests, page_views = excluded.page_views, visits = excluded.visits,
       server_errors = excluded.server_errors`,
    [JSON.stringify(once)],
  )
}

test('traffic of any range is what its days come to, by zone and by day', async () => {
  await fc.assert(
    fc.asyncProperty(zoneWrites, day, day, async (writes, one, other) => {
      await rowsOf('delete from domain_analytics_days')
      for (const write of writes) await writeZoneDays(write)
      const range = [one, other].sort()
      expect(await rowsOf('select * from zone_traffic($1, $2) order by zone_id', range)).toEqual(
        await rowsOf(
          `select zone_id, sum(requests)::bigint as requests, sum(bytes)::bigint as bytes, sum(visits)::bigint as visits
           from domain_analytics_days where day between $1::date and $2::date group by zone_id order by zone_id`,
          range,
        ),
      )
      expect(await rowsOf(`select * from connection_days('here', $1, $2) order by day`, range)).toEqual(
        await rowsOf(
          `select day, sum(requests)::bigint as requests, sum(cached_requests)::bigint as cached_requests,
             sum(bytes)::bigint as bytes, sum(page_views)::bigint as page_views, sum(visits)::bigint as visits,
             sum(server_errors)::bigint as server_errors,
             (sum(requests) filter (where server_errors is not null))::bigint as judged_requests
           from domain_analytics_days d join domains z on z.id = d.zone_id and z.connection = 'here'
           where day between $1::date and $2::date group by day order by day`,
          range,
        ),
      )
    }),
    { numRuns: 60 },
  )
})

const siteDay = fc.record({
  site: fc.integer({ min: 1, max: 3 }),
  ...{ day, probes: count, failed: fc.integer({ min: 0, max: 100 }), response: known, down: count },
})

test('all sites of a day are what its sites come to', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(siteDay, { maxLength: 30 }), day, async (writes, before) => {
      await rowsOf('delete from site_probe_days')
      for (const { site, day: of, probes, failed, response, down } of writes) {
        await rowsOf(
          `insert into site_probe_days (site_id, day, probes, failures, response_ms, known_seconds, down_seconds,
             degraded_seconds, maintenance_seconds)
           values ('site_000000000000000' || $1::int, $2, $3, least($3::int, $4::int), $5, 86400, $6, 0, 0)
           on conflict (site_id, day) do update set probes = excluded.probes, failures = excluded.failures,
             response_ms = excluded.response_ms, down_seconds = excluded.down_seconds`,
          [site, of, probes, failed, response, down],
        )
      }
      await rowsOf('delete from site_probe_days where day < $1::date', [before])
      expect(await rowsOf('select * from probe_day_totals where sites > 0 order by day')).toEqual(
        await rowsOf(
          `select day, count(*) as sites, sum(known_seconds)::bigint as known_seconds,
             sum(down_seconds)::bigint as down_seconds,
             coalesce(sum(probes - failures) filter (where response_ms is not null), 0)::bigint as answered,
             coalesce(sum(round(response_ms::numeric * 1000) * (probes - failures)), 0) as response_us
           from site_probe_days group by day order by day`,
        ),
      )
    }),
    { numRuns: 30 },
  )
})
