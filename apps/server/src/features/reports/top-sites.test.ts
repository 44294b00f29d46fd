import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { TestContext } from '../../../test/context.ts'
import { openReports, reportOf, rowsBehind, year } from './test/ask.ts'
import { customer, payment, refund, write } from './test/objects.ts'

let t: TestContext
const open = async (now?: string) => {
  t = await openReports(now)
}
beforeEach(() => open())
afterEach(() => t.close())
const report = (query: string) => reportOf(t, query)
const rowsOf = (query: string) => rowsBehind(t, query)

describe('sites', () => {
  beforeEach(async () => {
    await write(t, 'customer', [customer('cus_2')])
    await write(t, 'payment', [
      payment('a', '2026-03-20T10:00:00Z', 10_000, { refunded: 1000 }),
      payment('b', '2026-03-20T10:00:00Z', 4000, { customer: 'cus_2' }),
      payment('c', '2025-03-20T10:00:00Z', 7000, { refunded: 300 }),
    ])
    await write(t, 'refund', [
      refund('a', 'a', '2026-04-01T10:00:00Z', 1000),
      refund('c', 'c', '2026-05-01T10:00:00Z', 300),
    ])
    const site = (n: number, owner: number) =>
      `('site_aaaaaaaaaaaaaaa${n}', 'Site ${n}', 'site-${n}.example', 'cus_${owner}', 'active', 'healthy', '2025-01-0${n}', now())`
    await t.ctx.pool.query(`insert into sites (id, site_name, domain, customer_id, status, health_status, created_at, updated_at)
      values ${[site(1, 1), site(2, 1), site(3, 1), site(4, 2)].join(', ')}`)
  })

  test('share what their owner paid, less what went back in the range, to the cent', async () => {
    const { top_sites } = await report(year)
    expect(top_sites.map(({ domain, customer: owner, revenue }) => [domain, owner, revenue])).toEqual([
      ['site-4.example', 'Name of cus_2', 4000],
      ['site-1.example', 'Name of cus_1', 2900],
      ['site-2.example', 'Name of cus_1', 2900],
      ['site-3.example', 'Name of cus_1', 2900],
    ])
    expect(top_sites[0]).toMatchObject({ visits: null, conversion_rate: null })
    const share = await rowsOf(`${year}&figure=site_revenue&site=site_aaaaaaaaaaaaaaa2`)
    expect(share.total).toBe(2900)
    expect(share.rows.map(({ id, amount }) => [id, amount])).toEqual([
      ['re_c', -300],
      ['re_a', -1000],
      ['pi_a', 10_000],
      ['others', -5800],
    ])
    expect((await rowsOf(`${year}&figure=site_revenue&site=site_aaaaaaaaaaaaaaa4`)).count).toBe(1)
  })

  test('are counted as they were, and their answers are averaged by how many there were', async () => {
    await t.ctx.pool.query(
      `update sites set deleted_at = '2026-06-01', status = 'deleted' where id = 'site_aaaaaaaaaaaaaaa3'`,
    )
    const day = (n: number, on: string, probes: number, ms: number) =>
      `('site_aaaaaaaaaaaaaaa${n}', '${on}', ${probes}, 0, ${ms}, 86400, 0, 0, 0)`
    await t.ctx.pool.query(`insert into site_probe_days (site_id, day, probes, failures, response_ms, known_seconds, down_seconds,
      degraded_seconds, maintenance_seconds) values ${[
        day(1, '2026-11-20', 100, 200),
        day(2, '2026-11-21', 300, 400),
        day(1, '2026-11-12', 50, 700),
      ].join(', ')}`)
    const { headline } = await report('range=last_7_days')
    expect(headline.avg_response_time).toMatchObject({ current: 350, compared: 700, percent: -50 })
    expect(headline.total_sites).toMatchObject({ current: 3, compared: 3, percent: 0 })
    // What was answered in this hour is in no day's total yet, and counts.
    await t.ctx.pool.query(`insert into site_probes (site_id, at, health, in_maintenance, is_failure, total_ms, good_for_s)
      select 'site_aaaaaaaaaaaaaaa1', '2026-11-25T11:50:00Z'::timestamptz + n * interval '1 second', 'healthy', false, false, 1150, 60
      from generate_series(1, 100) n`)
    expect((await report('range=last_7_days&compare=last_year')).headline.avg_response_time.current).toBe(510)
    const before = await report('range=custom&from=2026-05-01&to=2026-05-31&compare=last_year')
    expect(before.headline.total_sites).toMatchObject({ current: 4, compared: 4 })
  })
})
