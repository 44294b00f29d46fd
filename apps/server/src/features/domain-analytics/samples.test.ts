import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { runJob } from '../../../test/context.ts'
import { type AnalyticsConsole, openAnalyticsConsole } from './test/console.ts'

const now = '2026-11-21T12:20:00Z'
let t: AnalyticsConsole

beforeAll(async () => {
  t = await openAnalyticsConsole(now)
})
afterAll(() => t?.close())
beforeEach(async () => {
  t.clock.set(now)
  t.sandbox.faults.clear()
  for (const table of ['days', 'zones', 'reads']) await t.ctx.pool.query(`delete from domain_analytics_${table}`)
  t.questions()
})

type Day = { day: string; visits: number | null; server_errors: number | null; requests: number; complete: boolean }
async function daysOf(plan: string): Promise<Day[]> {
  const { rows } = await t.ctx.pool.query(
    `select d.day::text as day, visits, server_errors, requests, samples_complete as complete
     from domain_analytics_days d where zone_id = (
       select id from domains z where plan ->> 'name' like $1 and status = 'active'
         and exists (select from domain_analytics_days k where k.zone_id = z.id) order by created_on limit 1
     ) order by day`,
    [plan],
  )
  return rows
}

test('keeps visits and server errors of the days that the plan’s samples tell of, and of no others', async () => {
  await runJob(t.ctx, 'domain-analytics.roll-up')
  const days = await daysOf('Free%')
  expect(days.length).toBeGreaterThan(20)
  const known = days.filter(({ visits }) => visits !== null)
  expect(known.map(({ day }) => day)).toEqual(days.slice(-8).map(({ day }) => day))
  expect(known.at(-1)).toMatchObject({ day: '2026-11-21', complete: false })
  expect(known.slice(0, -1).every(({ complete }) => complete)).toBe(true)
  expect(known.some(({ visits }) => Number(visits) > 0)).toBe(true)
  expect(known.every((day) => Number(day.server_errors) <= day.requests)).toBe(true)
})

test('reads only what is left, and nothing again so soon', async () => {
  await runJob(t.ctx, 'domain-analytics.roll-up')
  const first = t.questions()
  await runJob(t.ctx, 'domain-analytics.roll-up')
  expect(t.questions()).toBe(0)
  t.clock.advance(3_600_000)
  await runJob(t.ctx, 'domain-analytics.roll-up')
  expect(t.questions()).toBeLessThan(first)
})

test('what Cloudflare refuses is left unknown, and is not asked for again at once', async () => {
  await runJob(t.ctx, 'domain-analytics.roll-up')
  await t.ctx.pool.query(
    'update domain_analytics_days set visits = null, server_errors = null, samples_complete = false; update domain_analytics_zones set samples_at = null',
  )
  const refusal = { data: null, errors: [{ message: 'zone does not have access to the path' }] }
  t.sandbox.faults.next('cloudflare', 'graphql', { answer: refusal }, null)
  t.questions()
  await runJob(t.ctx, 'domain-analytics.roll-up')
  expect(t.questions()).toBeGreaterThan(0)
  expect((await daysOf('Free%')).every(({ visits }) => visits === null)).toBe(true)
  await runJob(t.ctx, 'domain-analytics.roll-up')
  expect(t.questions()).toBe(0)
})
