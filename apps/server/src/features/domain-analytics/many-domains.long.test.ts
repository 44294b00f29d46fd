import { expect, test } from 'vitest'
import { runJob } from '../../../test/context.ts'
import { request } from '../../../test/request.ts'
import { openAnalyticsConsole } from './test/console.ts'

/** Cloudflare's, of which work that walks over everything takes two thirds at most. */
const allowance = 300

test('500 domains are read within the allowance of five minutes, and again with a sixth of it', async () => {
  const t = await openAnalyticsConsole('2026-11-21T12:20:00Z', { customers: 4, zones: 500 })
  try {
    t.questions()
    await runJob(t.ctx, 'domain-analytics.roll-up')
    expect(t.questions()).toBeLessThan((allowance * 2) / 3)
    const all = (await request(t.ctx).as('readonly').get('/cloudflare/analytics?range=30d')).json()
    expect(t.questions()).toBe(0)
    expect(all.length).toBeGreaterThan(490)
    expect(all.filter((zone: { totals: unknown }) => zone.totals !== null).length).toBeGreaterThan(490)
    t.later()
    await runJob(t.ctx, 'domain-analytics.roll-up')
    expect(t.questions()).toBeLessThanOrEqual(60)
  } finally {
    await t.close()
  }
})
