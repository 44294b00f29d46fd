import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { health } from '@agency/contract'
import type { SystemHealth } from '@agency/contract/health'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { createTestContext, runJob, type TestContext } from '../../../test/context.ts'
import { eventually } from '../../../test/eventually.ts'
import { request } from '../../../test/request.ts'
import type { AppContext } from '../../context.ts'
import { AppError } from '../../platform/errors.ts'
import { createHealthMonitor } from './index.ts'
import { worstOf } from './overall.ts'
import { judgeDisk } from './parts.ts'

const minute = 60_000
let dataDir: string
let one: TestContext
let ping: () => Promise<void>

const stripe = { in: () => stripe, ping: () => ping() } as unknown as NonNullable<AppContext['stripe']>

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'agency-health-'))
})

afterAll(async () => {
  await rm(dataDir, { recursive: true, force: true })
})

beforeEach(async () => {
  ping = async () => {}
  one = await createTestContext({ env: { DATA_DIR: dataDir }, stripe, now: '2026-03-01T09:00:00Z' })
  return () => one.close()
})

const monitor = () => one.ctx.instance(createHealthMonitor)
const read = async () =>
  (await request(one.ctx).as([]).get('/health')).json() as {
    health: SystemHealth
    performance: Record<string, number | null>
  }
/** By a stopwatch that stands still: on a busy machine the database may answer slowly, which is a state of its own. */
async function inNoTime<T>(work: () => Promise<T>): Promise<T> {
  const stopwatch = vi.spyOn(performance, 'now').mockReturnValue(0)
  try {
    return await work()
  } finally {
    stopwatch.mockRestore()
  }
}
async function sampled(): Promise<SystemHealth> {
  await inNoTime(() => monitor().sample())
  return (await read()).health
}

const startImport = (state: string, error: string | null = null) =>
  one.ctx.db
    .insertInto('mirror_imports')
    .values({ id: 'imp_1', state, reason: 'first', started_at: new Date(one.clock.now()), finished_at: null, error })
    .execute()

describe('health', () => {
  test('is measured, and has the shape of the contract', async () => {
    await startImport('done')
    const answer = await inNoTime(read)
    expect(health.getHealth.response.parse(answer)).toEqual(answer)
    expect(answer.health).toMatchObject({
      overall: 'healthy',
      since: '2026-03-01T09:00:00.000Z',
      unexpected_restarts: 0,
      lastCheck: '2026-03-01T09:00:00.000Z',
      database: {
        status: 'healthy',
        detail: expect.stringMatching(/^Answers in [\d.]+ ms; \d+ of 10 connections busy; [\d.]+ MB$/),
      },
      cache: { status: 'healthy', detail: '0 answers held, 0 bytes; not used yet' },
      storage: { detail: expect.stringMatching(/ free$/) },
      network: { status: 'healthy', detail: expect.stringMatching(/^Stripe answers in \d+ ms$/) },
      stripe: { status: 'healthy', detail: 'Every change is applied' },
      jobs: { status: 'healthy', detail: '0 jobs waiting, 0 running' },
    })
    expect(answer.performance['storage_free_bytes']).toBeGreaterThan(0)
    expect(answer.performance['memory_bytes']).toBeGreaterThan(10_000_000)
  })

  test('says how often the console fell', async () => {
    const fallen = await createTestContext({ env: { DATA_DIR: dataDir, CONSOLE_FALLS: '3' } })
    try {
      const { health: state } = (await request(fallen.ctx).as([]).get('/health')).json()
      expect(state).toMatchObject({ unexpected_restarts: 3 })
    } finally {
      await fallen.close()
    }
  })

  test('counts what requests took, and their failures', async () => {
    for (let count = 0; count < 9; count++) one.ctx.metrics.requests.record(10, 200)
    one.ctx.metrics.requests.record(110, 500)
    const { performance } = await read()
    expect(performance).toMatchObject({ requests: 10, response_time_ms: 20, error_rate_percent: 10 })
    expect(performance['response_time_p95_ms']).toBeGreaterThanOrEqual(110)
  })

  test('knows nothing of requests before there were any', async () => {
    const { performance } = await read()
    expect(performance).toMatchObject({
      requests: 0,
      response_time_ms: null,
      response_time_p95_ms: null,
      error_rate_percent: null,
    })
  })

  test('without a provider nothing is said of the network', async () => {
    const alone = await createTestContext({ env: { DATA_DIR: dataDir } })
    try {
      const { health: state } = (await inNoTime(() => request(alone.ctx).as([]).get('/health'))).json()
      expect(state).toMatchObject({
        overall: 'healthy',
        network: { status: 'unknown', detail: 'No provider is connected' },
        stripe: { status: 'unknown', detail: 'Stripe is not connected' },
      })
    } finally {
      await alone.close()
    }
  })

  test('of the network: one failure warns, a second is an error, an answer that refuses is an answer', async () => {
    await startImport('done')
    ping = () => Promise.reject(new AppError('provider_unavailable', 'Stripe could not be reached'))
    expect(await sampled()).toMatchObject({
      overall: 'degraded',
      network: { status: 'warning', detail: 'Stripe could not be reached' },
    })
    expect(await sampled()).toMatchObject({ overall: 'down', network: { status: 'error' } })
    ping = () => Promise.reject(new AppError('provider_auth', 'Stripe refused the key'))
    expect(await sampled()).toMatchObject({ overall: 'healthy', network: { status: 'healthy' } })
  })

  test('asks the provider once a minute while it answers', async () => {
    let asked = 0
    ping = async () => {
      asked++
    }
    await sampled()
    one.clock.advance(59_000)
    await sampled()
    expect(asked).toBe(1)
    one.clock.advance(1000)
    await sampled()
    expect(asked).toBe(2)
  })

  test('of the mirror: a failed import, dead and late changes, a provider that fails', async () => {
    expect((await sampled()).stripe).toMatchObject({ status: 'unknown', detail: 'No import yet' })
    await startImport('running')
    expect((await sampled()).stripe).toMatchObject({ status: 'healthy', detail: 'Importing from Stripe' })
    await one.ctx.db.updateTable('mirror_imports').set({ state: 'failed', error: 'The key was refused' }).execute()
    expect((await sampled()).stripe).toMatchObject({
      status: 'error',
      detail: 'The import failed: The key was refused',
    })
    await one.ctx.db.updateTable('mirror_imports').set({ state: 'done', error: null }).execute()
    const event = { type: 'invoice.paid', payload: '{}', origin: 'webhook', created_at: new Date(one.clock.now()) }
    await one.ctx.db
      .insertInto('webhook_events')
      .values({ ...event, id: 'evt_1', received_at: new Date(one.clock.now() - 10 * minute), state: 'pending' })
      .execute()
    expect((await sampled()).stripe).toMatchObject({
      status: 'warning',
      detail: '1 change waiting, the oldest for 10 minutes',
    })
    await one.ctx.db.updateTable('webhook_events').set({ state: 'dead' }).execute()
    expect((await sampled()).stripe).toMatchObject({
      status: 'warning',
      detail: '1 change from Stripe could not be applied',
    })
    const at = new Date(one.clock.now())
    await one.ctx.db
      .insertInto('provider_problems')
      .values({
        provider: 'stripe',
        kind: 'unavailable',
        message: 'Stripe could not be reached',
        since: at,
        last_at: at,
      })
      .execute()
    expect((await sampled()).stripe).toMatchObject({ status: 'warning', detail: 'Stripe could not be reached' })
    one.clock.advance(6 * minute)
    expect((await sampled()).stripe.status).toBe('error')
  })

  test('keeps since when it is so, and tells browsers when a part changes', async () => {
    await startImport('done')
    const told: string[] = []
    one.ctx.changes.subscribe((topics) => told.push(...topics))
    await sampled()
    one.clock.advance(5 * minute)
    expect((await sampled()).since).toBe('2026-03-01T09:00:00.000Z')
    expect(told).not.toContain('health')
    ping = () => Promise.reject(new AppError('provider_unavailable', 'gone'))
    one.clock.advance(minute)
    expect((await sampled()).since).toBe('2026-03-01T09:06:00.000Z')
    await eventually(() => expect(told).toContain('health'))
  })

  test('of the last day: minutes without a console count as down', async () => {
    await startImport('done')
    expect((await sampled()).uptime_percent_24h).toBe(100)
    one.clock.advance(9 * minute)
    expect((await sampled()).uptime_percent_24h).toBeCloseTo(20)
    one.clock.advance(3 * 24 * 60 * minute)
    expect((await sampled()).uptime_percent_24h).toBeLessThan(0.1)
    one.clock.advance(10 * 24 * 60 * minute)
    await runJob(one.ctx, 'health.forget')
    expect((await sampled()).uptime_percent_24h).toBe(100)
  })

  test('says that the database does not answer', async () => {
    const cut = await createTestContext({ env: { DATA_DIR: dataDir } })
    await cut.database.drop()
    try {
      const { health: state } = await cut.ctx.instance(createHealthMonitor).current()
      expect(state.overall).toBe('down')
      expect(state.database.status).toBe('error')
    } finally {
      await cut.close()
    }
  })
})

test.each([
  [['healthy', 'healthy'], 'healthy'],
  [['healthy', 'unknown'], 'healthy'],
  [['healthy', 'warning', 'unknown'], 'degraded'],
  [['warning', 'error'], 'down'],
  [[], 'healthy'],
] as const)('%j is %s', (statuses, overall) => {
  expect(worstOf(statuses.map((status) => ({ status })))).toBe(overall)
})

const gib = 1024 ** 3
test.each([
  [{ freeBytes: 50 * gib, totalBytes: 100 * gib }, 'healthy', '50.0 GB of 100 GB free'],
  [{ freeBytes: 9 * gib, totalBytes: 100 * gib }, 'warning', '9.0 GB of 100 GB free'],
  [{ freeBytes: 0.9 * gib, totalBytes: 2 * gib }, 'warning', '922 MB of 2.0 GB free'],
  [{ freeBytes: 1.5 * gib, totalBytes: 100 * gib }, 'error', '1.5 GB of 100 GB free'],
  [{ freeBytes: 0.1 * gib, totalBytes: gib }, 'error', '102 MB of 1.0 GB free'],
  [null, 'unknown', 'The data folder is not on this machine'],
] as const)('a disk with %j is %s', (disk, status, detail) => {
  expect(judgeDisk(disk)).toEqual({ status, detail })
})
