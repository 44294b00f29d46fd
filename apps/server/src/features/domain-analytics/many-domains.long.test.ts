import { expect, test } from 'vitest'
import { runJob } from '../../../test/context.ts'
import { request } from '../../../test/request.ts'
import { openAnalyticsConsole } from './test/console.ts'

/** Cloudflare's, of which work that walks over everything takes two thirds at most. */
const allowance = 300

test('500 domains are read within the allowance of five minutes, and again with a third of it', async () => {
  const t = await openAnalyticsConsole('2026-11-21T12:20:00Z', { customers: 4, zones: 500 })
  try {
    t.questions()
    await runJob(t.ctx, 'domain-analytics.roll-up')
    expect(t.questions()).toBeLessThan((allowance * 2) / 3)
    const all = (await request(t.ctx).as('readonly').get('/cloudflare/analytics?range=30d')).json()
    expect(t.questions()).toBe(0)
    expect(all.length).toBeGreaterThan(490)
    expect(all.filter((zone: { totals: unknown }) => zone.totals !== null).length).toBeGreaterThan(490)
    for (let time = 0; time < 16; time++) {
      t.later()
      await runJob(t.ctx, 'domain-analytics.roll-up')
      expect(t.questions()).toBeLessThanOrEqual(allowance / 3)
    }
    // By then the samples of each that has days had their turn.
    const { rows } = await t.ctx.pool.query(
      `select count(distinct d.zone_id)::int as zones from domain_analytics_days d
       join domain_analytics_zones z on z.zone_id = d.zone_id where z.samples_at is null`,
    )
    expect(rows[0].zones).toBe(0)
  } finally {
    await t.close()
  }
})
