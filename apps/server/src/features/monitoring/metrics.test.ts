import { monitoring } from '@agency/contract'
import type { ResponseOf } from '@agency/contract/endpoint'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { runJob, type TestContext } from '../../../test/context.ts'
import { addLooks, addMinutes } from '../../../test/monitoring-rows.ts'
import { request } from '../../../test/request.ts'
import { createTwoProcesses } from '../../../test/sign-in.ts'
import { recordMinute } from './index.ts'
import { getMetrics } from './service/metrics.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const now = Date.parse('2026-03-10T12:00:30Z')
let one: TestContext
let two: TestContext

beforeAll(async () => {
  ;[one, two] = await createTwoProcesses()
})
beforeEach(async () => {
  await one.ctx.pool.query('delete from metric_minutes; delete from metric_hours; delete from sites')
  one.clock.set(now)
})
afterAll(async () => {
  await two?.close()
  await one?.close()
})

type Answer = ResponseOf<typeof monitoring.getMetrics>
async function read(range: string): Promise<Answer> {
  const answer = await request(one.ctx).as([]).get(`/monitoring/metrics?range=${range}`)
  expect(answer.statusCode).toBe(200)
  return monitoring.getMetrics.response.parse(answer.json())
}
const seriesOf = (answer: Answer, key: string) => answer.series.find((series) => series.key === key)!
const start = Math.floor(now / minute) * minute
const minutesFrom = (from: number, count: number, value: (index: number) => number) =>
  Array.from({ length: count }, (_, index) => ({ at: from + index * minute, value: value(index) }))

test('names every figure, also where nothing was measured', async () => {
  const answer = await read('24h')
  expect(answer.series.map(({ key }) => key)).toEqual([...monitoring.metrics])
  expect(answer.series[3]).toEqual({
    ...{ key: 'event_loop_p99_ms', name: 'Event loop delay (p99)', unit: 'ms' },
    ...{ value: null, measured_at: null, points: [] },
    rule: { key: 'console.event_loop_p99_ms', name: 'Event loop delay (p99)', threshold: 250, is_enabled: true },
  })
  expect(answer).toMatchObject({ range: '24h', step_seconds: 300, until: '2026-03-10T12:00:30.000Z' })
})

test('of an hour: every minute, and gaps stay gaps', async () => {
  await addMinutes(one, 'cpu_percent', [
    { at: start - 61 * minute, value: 99 },
    { at: start - 10 * minute, value: 10, max: 15 },
    { at: start - 8 * minute, value: 30, max: 80 },
    { at: start - minute, value: 20, max: 25 },
  ])
  const answer = await read('1h')
  expect(answer).toMatchObject({ step_seconds: 60, since: '2026-03-10T11:01:00.000Z' })
  expect(seriesOf(answer, 'cpu_percent')).toMatchObject({
    ...{ unit: '%', value: 20, measured_at: '2026-03-10T11:59:00.000Z' },
    points: [
      { at: '2026-03-10T11:50:00.000Z', value: 10, max: 15 },
      { at: '2026-03-10T11:52:00.000Z', value: 30, max: 80 },
      { at: '2026-03-10T11:59:00.000Z', value: 20, max: 25 },
    ],
  })
})

test('of a day: the mean and the greatest of five minutes', async () => {
  await addMinutes(
    one,
    'queue_depth',
    minutesFrom(start - 10 * minute, 10, (index) => index),
  )
  expect(seriesOf(await read('24h'), 'queue_depth').points).toEqual([
    { at: '2026-03-10T11:50:00.000Z', value: 2, max: 4 },
    { at: '2026-03-10T11:55:00.000Z', value: 7, max: 9 },
  ])
})

test.each([
  ['7d', 3600],
  ['30d', 21_600],
])('of %s: steps of %i seconds, before the hours are made and after', async (range, step) => {
  // Three hours of which the second was not measured.
  for (const [from, value] of [
    [now - 5 * hour, 10],
    [now - 3 * hour, 40],
  ] as const)
    for (const metric of ['cpu_percent', 'memory_percent'])
      await addMinutes(
        one,
        metric,
        minutesFrom(Math.floor(from / hour) * hour, 60, (index) => value + (index % 2)),
      )
  const expected =
    step === 3600
      ? [
          { at: '2026-03-10T07:00:00.000Z', value: 10.5, max: 11 },
          { at: '2026-03-10T09:00:00.000Z', value: 40.5, max: 41 },
        ]
      : [{ at: '2026-03-10T06:00:00.000Z', value: 25.5, max: 41 }]
  const before = await read(range)
  expect(before.step_seconds).toBe(step)
  expect(seriesOf(before, 'cpu_percent')).toMatchObject({ value: null, points: expected })
  await runJob(one.ctx, 'monitoring.roll_up')
  expect((await one.ctx.pool.query('select from metric_hours')).rowCount).toBe(4)
  expect(seriesOf(await read(range), 'cpu_percent').points).toEqual(expected)
  one.clock.advance(8 * day)
  await runJob(one.ctx, 'monitoring.forget')
  expect((await one.ctx.pool.query('select from metric_minutes')).rowCount).toBe(0)
  const later = seriesOf(await read(range), 'cpu_percent').points
  expect(later).toEqual(range === '30d' ? expected : [])
})

test('two processes keep a minute once, with what the sites took in it', async () => {
  await one.ctx.pool.query(
    `insert into sites (id, site_name, domain, status, created_at, updated_at)
     values ('site_0000000000000001', 'A', 'a.example', 'active', now(), now())`,
  )
  const from = start - minute
  await addLooks(one, 'site_0000000000000001', [
    ...[100, 200, 300].map((ms, index) => ({ at: from + index * 1000, ms })),
    { at: from + 30_000, health: 'down' },
    { at: from - 1, ms: 5000 },
    { at: start, ms: 5000 },
  ])
  const values = (value: number) => [
    { metric: 'memory_percent' as const, value, max: value },
    { metric: 'cpu_percent' as const, value, max: value },
  ]
  await Promise.all([
    recordMinute(one.ctx, new Date(from), values(1)),
    recordMinute(two.ctx, new Date(from), values(2)),
  ])
  await recordMinute(two.ctx, new Date(from), [...values(3), { metric: 'queue_depth', value: 3, max: 3 }])
  const { rows } = await one.ctx.pool.query('select metric, value from metric_minutes order by metric')
  const own = rows.find(({ metric }) => metric === 'memory_percent').value
  expect([1, 2]).toContain(own)
  expect(rows).toEqual([
    { metric: 'cpu_percent', value: own },
    { metric: 'memory_percent', value: own },
    { metric: 'site_response_p50_ms', value: 200 },
    { metric: 'site_response_p95_ms', value: 290 },
  ])
})

test('counts the calls of this process by their route, whatever was asked', async () => {
  await request(one.ctx).as(['sites.read']).get('/sites/site_nobody')
  await request(one.ctx).as(['sites.read']).get('/sites/site_nobody_else?x=1')
  await request(one.ctx).as(['sites.read']).get('/no/such/call')
  const { endpoints, endpoints_since } = await read('1h')
  expect(endpoints_since).toBe('2026-03-01T09:00:00.000Z')
  const site = endpoints.find(({ path }) => path === '/sites/:id')
  expect(site).toMatchObject({ method: 'GET', requests: 2, errors: 0 })
  expect(site!.p50_ms).toBeGreaterThan(0)
  expect(site!.p99_ms).toBeGreaterThanOrEqual(site!.p50_ms)
  expect(endpoints.some(({ path }) => path.includes('such') || path.includes('nobody'))).toBe(false)
})

test('shows the rule that watches a figure, where somebody knows the rules', async () => {
  const rule = { key: 'cpu', name: 'CPU', threshold: 80, is_enabled: true }
  const { series } = await getMetrics(one.ctx, '1h', async () => new Map([['cpu_percent', rule]]))
  expect(series.filter((found) => found.rule !== null)).toMatchObject([{ key: 'cpu_percent', rule }])
})

test('is answered to every session, and to nobody else', async () => {
  expect((await request(one.ctx).anonymous().get('/monitoring/metrics')).statusCode).toBe(401)
  expect((await request(one.ctx).as([]).get('/monitoring/metrics')).json().range).toBe('24h')
})

test.each(['range=2y', 'colour=red'])('refuses %s', async (query) => {
  const refused = await request(one.ctx).as([]).get(`/monitoring/metrics?${query}`)
  expect([refused.statusCode, refused.json().code]).toEqual([400, 'invalid_request'])
})
