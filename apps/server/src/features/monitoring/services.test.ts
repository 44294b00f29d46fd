import { monitoring } from '@agency/contract'
import type { MonitoredService } from '@agency/contract/monitoring'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { runJob, type TestContext } from '../../../test/context.ts'
import { eventually } from '../../../test/eventually.ts'
import { addAlert, addChecks } from '../../../test/monitoring-rows.ts'
import { request } from '../../../test/request.ts'
import { createTwoProcesses } from '../../../test/sign-in.ts'
import { recordServices, type SeenService } from './index.ts'

const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour
const now = Date.parse('2026-03-10T12:00:00Z')
let one: TestContext
let two: TestContext

beforeAll(async () => {
  ;[one, two] = await createTwoProcesses()
})
beforeEach(async () => {
  await one.ctx.pool.query(`delete from service_checks; delete from service_hours; delete from service_days;
    delete from alerts; update monitored_services set status = 'unknown', detail = '', since = null, checked_at = null,
      response_ms = null, next_at = '-infinity'`)
  one.clock.set(now)
})
afterAll(async () => {
  await two?.close()
  await one?.close()
})

const database = (status: SeenService['status'], detail: string = status): SeenService => ({
  ...{ key: 'database', status, detail, responseMs: 2 },
})
const record = (t: TestContext, seen: SeenService) => recordServices(t.ctx, [seen], new Date(t.clock.now()))

async function listed(): Promise<MonitoredService[]> {
  const answer = await request(one.ctx).as(['sites.read']).get('/monitoring/services')
  expect(answer.statusCode).toBe(200)
  return monitoring.listServices.response.parse(answer.json()).services
}
const listedDatabase = async () => (await listed())[0]!
const countChecks = async () => (await one.ctx.pool.query('select from service_checks')).rowCount

test('lists every service, and says of those that were never looked at that they are unknown', async () => {
  const services = await listed()
  expect(services.map(({ key }) => key)).toEqual([...monitoring.services])
  expect(services[6]).toEqual({
    ...{ key: 'mail', name: 'Mail', type: 'SMTP', status: 'unknown', detail: 'Not checked yet' },
    ...{ since: null, checked_at: null, response_ms: null, active_alerts: 0, days: [] },
    uptime: { day: null, month: null, quarter: null },
  })
})

test('two processes that look at once keep one check', async () => {
  await Promise.all([record(one, database('healthy')), record(two, database('healthy'))])
  expect(await countChecks()).toBe(1)
  one.clock.advance(15 * second)
  await record(two, database('healthy'))
  expect(await countChecks()).toBe(1)
  one.clock.advance(15 * second)
  await Promise.all([record(one, database('healthy')), record(two, database('healthy'))])
  expect(await countChecks()).toBe(2)
})

test('keeps since when a service is as it is, and begins anew after it was not looked at', async () => {
  await record(one, database('degraded', 'Slow'))
  one.clock.advance(minute)
  await record(one, database('degraded', 'Slower'))
  expect(await listedDatabase()).toMatchObject({
    ...{ status: 'degraded', detail: 'Slower', since: '2026-03-10T12:00:00.000Z', response_ms: 2 },
    checked_at: '2026-03-10T12:01:00.000Z',
  })
  one.clock.advance(10 * minute)
  expect(await listedDatabase()).toMatchObject({
    ...{ status: 'unknown', detail: 'Not checked lately', since: '2026-03-10T12:02:30.000Z', response_ms: null },
  })
  await record(one, database('degraded'))
  expect(await listedDatabase()).toMatchObject({ status: 'degraded', since: '2026-03-10T12:11:00.000Z' })
})

test('tells browsers when a service changes, and not that it was looked at', async () => {
  const told: string[] = []
  const stop = two.ctx.changes.subscribe((topics) => told.push(...topics))
  const notify = (topic: string) => one.ctx.pool.query("select pg_notify('changes', $1)", [topic])
  // What was cleared away before this test is told still: notifications come in the order of their commits.
  await notify('customers')
  await eventually(() => expect(told).toContain('customers'))
  told.length = 0
  await record(one, database('healthy'))
  await eventually(() => expect(told).toEqual(['monitoring']))
  one.clock.advance(minute)
  await record(one, database('healthy'))
  await notify('plans')
  await eventually(() => expect(told).toEqual(['monitoring', 'plans']))
  stop()
})

test('counts the alerts about a service that are not resolved', async () => {
  await addAlert(one, { subject: 'service', subject_id: 'database' })
  await addAlert(one, { subject: 'service', subject_id: 'database', status: 'acknowledged' })
  await addAlert(one, { subject: 'service', subject_id: 'database', status: 'resolved' })
  await addAlert(one, { subject: 'site', subject_id: 'database' })
  expect(await listedDatabase()).toMatchObject({ active_alerts: 2 })
})

/** By hand: 8:00 to 12:00, of which an hour well, half an hour down, half an hour unseen, an hour degraded, an hour unknown. */
test('counts uptime by the time that is known, from the checks and from the hours alike', async () => {
  const from = now - 4 * hour
  const checks = (start: number, end: number, status: string) =>
    Array.from({ length: (end - start) / (30 * second) }, (_, index) => ({ at: start + index * 30 * second, status }))
  await addChecks(one, [
    ...checks(from, from + hour, 'healthy'),
    ...checks(from + hour, from + 1.5 * hour, 'unhealthy'),
    ...checks(from + 2 * hour, from + 3 * hour, 'degraded'),
    ...checks(from + 3 * hour, now, 'unknown'),
  ])
  const expected = {
    day: '2026-03-10',
    // The check before the gap tells of 90 seconds, where the others tell of 30.
    known_seconds: 3600 + 1800 + 60 + 3600,
    down_seconds: 1800 + 60,
    degraded_seconds: 3600,
    maintenance_seconds: 0,
  }
  const percent = 100 * (1 - 1860 / 9060)
  const before = await listedDatabase()
  expect(before.days).toEqual([expected])
  expect(before.uptime.day).toBeCloseTo(percent, 9)
  one.clock.advance(3 * minute)
  await runJob(one.ctx, 'monitoring.roll_up')
  expect((await one.ctx.pool.query('select from service_hours')).rowCount).toBe(4)
  const after = await listedDatabase()
  expect(after.days).toEqual([expected])
  expect(after.uptime).toEqual({ day: before.uptime.day, month: before.uptime.day, quarter: before.uptime.day })
  await runJob(one.ctx, 'monitoring.roll_up')
  expect((await listedDatabase()).days).toEqual([expected])
})

test('keeps checks for a week, hours for 13 months and days for ever', async () => {
  await addChecks(one, [{ at: now - 2 * hour }])
  await runJob(one.ctx, 'monitoring.roll_up')
  const left = async () => {
    const { rows } = await one.ctx.pool.query(`select (select count(*) from service_checks)::int as checks,
      (select count(*) from service_hours)::int as hours, (select count(*) from service_days)::int as days`)
    return rows[0]
  }
  one.clock.advance(8 * day)
  await runJob(one.ctx, 'monitoring.forget')
  expect(await left()).toEqual({ checks: 0, hours: 1, days: 1 })
  expect((await listedDatabase()).uptime).toEqual({ day: null, month: 100, quarter: 100 })
  one.clock.advance(30 * day)
  expect((await listedDatabase()).uptime).toEqual({ day: null, month: null, quarter: 100 })
  one.clock.advance(400 * day)
  await runJob(one.ctx, 'monitoring.forget')
  expect(await left()).toEqual({ checks: 0, hours: 0, days: 1 })
  expect((await listedDatabase()).days).toEqual([])
})

test('needs the permission to see sites', async () => {
  expect((await request(one.ctx).anonymous().get('/monitoring/services')).statusCode).toBe(401)
  expect((await request(one.ctx).as(['analytics.read']).get('/monitoring/services')).statusCode).toBe(403)
})
