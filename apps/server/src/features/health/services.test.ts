import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { MonitoredService, ServiceKey } from '@agency/contract/monitoring'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/context.ts'
import { startMailServer } from '../../../test/mail-server.ts'
import { request } from '../../../test/request.ts'
import type { AppContext } from '../../context.ts'
import { AppError } from '../../platform/errors.ts'
import { judgeEventLoop } from './event-loop.ts'
import { createHealthMonitor } from './index.ts'
import { createMinuteGauges } from './minute.ts'

const minute = 60_000
let dataDir: string
let one: TestContext
let ping: () => Promise<void>
const stripe = { in: () => stripe, ping: () => ping() } as unknown as NonNullable<AppContext['stripe']>

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'agency-services-'))
})
afterAll(() => rm(dataDir, { recursive: true, force: true }))
beforeEach(async () => {
  ping = async () => {}
  one = await createTestContext({ env: { DATA_DIR: dataDir }, stripe, now: '2026-03-01T09:00:00Z' })
  return () => one.close()
})

type Services = Record<ServiceKey, MonitoredService>

/** What monitoring shows once another sample was taken, a minute later. */
async function sampled(t = one): Promise<Services> {
  t.clock.advance(minute)
  // Whatever else the machine does, everything answers within milliseconds.
  let elapsedMs = 0
  const stopwatch = vi.spyOn(performance, 'now').mockImplementation(() => ++elapsedMs)
  await t.ctx.instance(createHealthMonitor).sample()
  stopwatch.mockRestore()
  const answer = await request(t.ctx).as(['sites.read']).get('/monitoring/services')
  const services = answer.json().services as MonitoredService[]
  return Object.fromEntries(services.map((service) => [service.key, service])) as Services
}
const healthOf = async () => (await request(one.ctx).as([]).get('/health')).json().health
const sql = (text: string, values: unknown[] = []) => one.ctx.pool.query(text, values)
const startImport = () =>
  sql(`insert into mirror_imports (id, state, reason, started_at) values ('imp_1', 'done', 'first', $1)`, [
    new Date(one.clock.now()),
  ])

test('monitoring shows what System Health found, in its own words', async () => {
  await startImport()
  one.ctx.instance(createHealthMonitor)
  // Its meter of the event loop measures every 10 ms, by a timer that comes before this one.
  await sleep(50)
  const services = await sampled()
  const health = await healthOf()
  for (const key of ['database', 'jobs', 'cache', 'storage', 'network', 'cloudflare'] as const)
    expect(services[key].detail).toBe(health[key].detail)
  expect(services).toMatchObject({
    database: { status: 'healthy', checked_at: '2026-03-01T09:01:00.000Z', since: '2026-03-01T09:01:00.000Z' },
    mail: { status: 'unknown', detail: 'No mail server is set' },
    stripe: { status: 'healthy', detail: expect.stringMatching(/^Stripe answers in \d+ ms$/) },
    cloudflare: { status: 'unknown', detail: 'Cloudflare is not connected' },
    webhooks: { status: 'healthy', detail: 'Every change is applied' },
    mirror: { status: 'healthy', detail: 'Compared with Stripe 1 minute ago' },
  })
  expect(services.database.response_ms).toBeGreaterThan(0)
  expect(services.jobs.response_ms).toBeNull()
})

test('the event loop is measured as soon as there was time to', async () => {
  const loop = () => sampled().then(({ event_loop }) => event_loop)
  await expect.poll(async () => (await loop()).detail).toMatch(/^Late by [\d.]+ ms \(p99\), at most [\d.]+ ms$/)
})

test('a service that fails is unhealthy, and the others are as they are', async () => {
  await startImport()
  ping = () => Promise.reject(new AppError('provider_unavailable', 'Stripe could not be reached'))
  expect((await sampled()).stripe).toMatchObject({ status: 'degraded', detail: 'Stripe could not be reached' })
  expect(await sampled()).toMatchObject({
    ...{ stripe: { status: 'unhealthy', response_ms: null }, mirror: { status: 'healthy' } },
    database: { status: 'healthy' },
  })
})

test('the copy of Stripe and its webhooks are told apart', async () => {
  expect(await sampled()).toMatchObject({
    mirror: { status: 'unknown', detail: 'No import yet' },
    webhooks: { status: 'unknown', detail: 'No import yet' },
  })
  await startImport()
  await sql(
    `insert into webhook_events (id, type, payload, origin, created_at, received_at, state)
     values ('evt_1', 'invoice.paid', '{}', 'webhook', $1, $1, 'pending')`,
    [new Date(one.clock.now() - 10 * minute)],
  )
  expect(await sampled()).toMatchObject({
    mirror: { status: 'healthy' },
    webhooks: { status: 'degraded', detail: '1 change waiting, the oldest for 11 minutes' },
  })
  await sql(`update webhook_events set state = 'applied', applied_at = received_at`)
  await sql(`insert into webhook_refusals (reason, first_at, last_at) values ('signature', $1, $1)`, [
    new Date(one.clock.now()),
  ])
  const refused = await sampled()
  expect(refused).toMatchObject({
    mirror: { status: 'healthy' },
    webhooks: { status: 'unhealthy', detail: expect.stringMatching(/^Deliveries from Stripe are refused/) },
  })
  expect(refused.webhooks.detail).toBe((await healthOf()).stripe.detail)
  await sql('delete from webhook_refusals')
  one.clock.advance(2 * 60 * minute)
  const old = await sampled()
  expect(old).toMatchObject({
    mirror: { status: 'degraded', detail: 'Last compared with Stripe 2 hours ago' },
    webhooks: { status: 'healthy' },
  })
  expect(await healthOf()).toMatchObject({
    ...{ overall: 'degraded', stripe: { status: 'warning', detail: 'Last compared with Stripe 2 hours ago' } },
  })
})

test('without Stripe nothing is said of it', async () => {
  const alone = await createTestContext({ env: { DATA_DIR: dataDir }, now: '2026-03-01T09:00:00Z' })
  try {
    const services = await sampled(alone)
    for (const key of ['stripe', 'webhooks', 'mirror'] as const) expect(services[key].status).toBe('unknown')
  } finally {
    await alone.close()
  }
})

test('mail: the server takes a sign-in, mails could not be sent, and it is gone', async () => {
  const server = await startMailServer()
  const env = { DATA_DIR: dataDir, SMTP_URL: server.url, MAIL_FROM: 'console@example.com' }
  const mailing = await createTestContext({ env, now: '2026-03-01T09:00:00Z' })
  let isOpen = true
  try {
    expect((await sampled(mailing)).mail).toMatchObject({
      ...{ status: 'healthy', detail: expect.stringMatching(/^The mail server answers in \d+ ms$/) },
      response_ms: expect.any(Number),
    })
    await mailing.ctx.pool.query(
      `insert into mails (id, kind, to_address, subject, sealed_text, state, created_at)
       values ('mail_1', 'test', 'a@example.com', 'Hello', '', 'failed', $1)`,
      [new Date(mailing.clock.now())],
    )
    expect((await sampled(mailing)).mail).toMatchObject({
      ...{ status: 'degraded', detail: '1 mail of the last day could not be sent' },
    })
    await server.stop()
    isOpen = false
    mailing.clock.advance(4 * minute)
    expect((await sampled(mailing)).mail.status).toBe('degraded')
    expect((await sampled(mailing)).mail).toMatchObject({ status: 'unhealthy', response_ms: null })
  } finally {
    if (isOpen) await server.stop()
    await mailing.close()
  }
})

test('each minute that is over is kept with what was measured in it', async () => {
  await one.ctx.instance(createHealthMonitor).sample()
  for (let ms = 1; ms <= 20; ms++) one.ctx.metrics.requests.record(ms, ms > 15 ? 500 : 200)
  one.clock.advance(15_000)
  await one.ctx.instance(createHealthMonitor).sample()
  expect((await sql('select from metric_minutes')).rowCount).toBe(0)
  one.clock.advance(50_000)
  await one.ctx.instance(createHealthMonitor).sample()
  const { rows } = await sql('select metric, minute, value, max from metric_minutes order by metric')
  const values = Object.fromEntries(rows.map(({ metric, value }) => [metric, value]))
  expect(new Set(rows.map(({ minute: at }) => at.toISOString()))).toEqual(new Set(['2026-03-01T09:00:00.000Z']))
  expect(values).toMatchObject({ requests_per_minute: 20, error_rate_percent: 25, queue_depth: 0 })
  expect(values['response_p50_ms']).toBeGreaterThanOrEqual(10)
  expect(values['response_p99_ms']).toBeGreaterThanOrEqual(values['response_p95_ms'])
  for (const metric of ['memory_percent', 'storage_percent', 'database_connections_percent'])
    expect(values[metric]).toBeGreaterThanOrEqual(0)
})

test('a minute without requests has no response time and no error rate', async () => {
  await one.ctx.instance(createHealthMonitor).sample()
  await sampled()
  const { rows } = await sql(`select metric from metric_minutes where metric like 'response%' or metric like '%rate%'`)
  expect(rows).toEqual([])
  const { rows: counted } = await sql(`select value from metric_minutes where metric = 'requests_per_minute'`)
  expect(counted).toEqual([{ value: 0 }])
})

test('gauges are the mean and the greatest of what was sampled in the minute', () => {
  const gauges = createMinuteGauges()
  expect(gauges.take(10 * minute, { cpu_percent: 10, queue_depth: null })).toBeNull()
  expect(gauges.take(10 * minute + 30_000, { cpu_percent: 30, event_loop_p99_ms: { value: 2, max: 50 } })).toBeNull()
  expect(gauges.take(14 * minute, { cpu_percent: 99 })).toEqual({
    minute: 10 * minute,
    values: [
      { metric: 'cpu_percent', value: 20, max: 30 },
      { metric: 'event_loop_p99_ms', value: 2, max: 50 },
    ],
  })
  expect(gauges.take(15 * minute, {})).toMatchObject({ minute: 14 * minute, values: [{ value: 99 }] })
  expect(gauges.take(16 * minute, {})).toBeNull()
})

test.each([
  [null, 'unknown'],
  [{ p99Ms: 20, maxMs: 400 }, 'healthy'],
  [{ p99Ms: 250, maxMs: 400 }, 'warning'],
  [{ p99Ms: 2000, maxMs: 2500 }, 'error'],
] as const)('an event loop that is late by %j is %s', (delay, status) => {
  expect(judgeEventLoop(delay).status).toBe(status)
})
