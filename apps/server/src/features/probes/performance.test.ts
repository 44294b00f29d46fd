import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestContext, runJob, type TestContext } from '../../../test/context.ts'
import { request } from '../../../test/request.ts'
import { addSite } from './test/world.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const now = Date.parse('2026-03-10T12:00:00Z')
let console: TestContext

beforeAll(async () => {
  console = await createTestContext()
})
beforeEach(async () => {
  await console.ctx.pool.query('delete from sites')
  await console.ctx.pool.query('delete from site_probe_progress')
  console.clock.set(now)
})
afterAll(() => console?.close())

type Look = { at: number; health?: string; ms?: number; maintenance?: boolean; score?: number }

async function addLooks(site: string, looks: readonly Look[]): Promise<void> {
  const rows = looks.map(({ at, health = 'healthy', ms = 100, maintenance = false, score = null }) => ({
    ...{ site_id: site, at: new Date(at), health, in_maintenance: maintenance, is_failure: health === 'down' },
    ...{ status_code: 200, total_ms: health === 'down' ? null : ms, ttfb_ms: health === 'down' ? null : ms / 2, score },
    good_for_s: 150,
  }))
  await console.ctx.pool.query(
    'insert into site_probes select * from json_populate_recordset(null::site_probes, $1::json)',
    [JSON.stringify(rows)],
  )
}

const every = (step: number, from: number, to: number, look: (at: number) => Partial<Look> = () => ({})): Look[] =>
  Array.from({ length: Math.floor((to - from) / step) }, (_, index) => {
    const at = from + index * step
    return { at, ...look(at) }
  })

const performanceOf = async (id: string, range: string) => {
  const response = await request(console.ctx).as(['sites.read']).get(`/sites/${id}/performance?range=${range}`)
  expect(response.statusCode).toBe(200)
  return response.json().performance
}

test('counts uptime by the time that is known, without maintenance', async () => {
  const id = await addSite(console)
  await addLooks(id, [
    ...every(minute, now - 4 * hour, now - 3 * hour),
    ...every(minute, now - 3 * hour, now - 2 * hour, () => ({ health: 'down' })),
    ...every(minute, now - 2 * hour, now - hour, () => ({ health: 'down', maintenance: true })),
  ])
  const { uptime, series } = await performanceOf(id, '24h')
  expect(uptime).toEqual({
    percent: 50,
    known_seconds: 7200,
    down_seconds: 3600,
    // The last look tells of two intervals and a half, the one before it only of one.
    maintenance_seconds: 3600 + 90,
    unknown_seconds: 21 * 3600 - 90,
  })
  expect(series).toHaveLength(12)
  expect(series[0]).toMatchObject({ probes: 15, failures: 0, response_ms: 100, ttfb_ms: 50 })
  expect(series[5]).toMatchObject({ probes: 15, failures: 15, response_ms: null, ttfb_ms: null })
})

test('a site that was never looked at has no figure at all', async () => {
  const id = await addSite(console)
  const performance = await performanceOf(id, '30d')
  expect(performance).toMatchObject({
    ...{ series: [], last: null, certificate: null, score: null, response_ms: null, is_stale: true, deployments: [] },
    health: { status: 'unknown', checked_at: null },
    uptime: { percent: null, known_seconds: 0, down_seconds: 0 },
  })
})

test('hours that were made of the probes tell the same as the probes', async () => {
  const id = await addSite(console)
  let turn = 7
  const chance = () => {
    turn = (turn * 16_807) % 2_147_483_647
    return turn / 2_147_483_647
  }
  const looks = every(minute, now - 5 * day - 17 * minute, now - 3 * minute, () => ({
    health: chance() < 0.1 ? 'down' : 'healthy',
    ms: Math.round(50 + 400 * chance()),
    maintenance: chance() < 0.02,
    score: Math.round(100 * chance()),
  })).filter(() => chance() > 0.2)
  await addLooks(id, looks)
  const before = await performanceOf(id, '7d')
  await runJob(console.ctx, 'probes.roll_up')
  const { rows } = await console.ctx.pool.query('select count(*)::int as hours from site_probe_hours')
  expect(rows[0]).toEqual({ hours: 120 })
  const after = await performanceOf(id, '7d')
  expect(after.series).toEqual(before.series)
  // Each hour is kept in whole seconds.
  expect(Math.abs(after.uptime.known_seconds - before.uptime.known_seconds)).toBeLessThan(5)
  expect(after.uptime.percent).toBeCloseTo(before.uptime.percent, 3)
  await console.ctx.pool.query('delete from site_probe_progress')
  await runJob(console.ctx, 'probes.roll_up')
  expect((await performanceOf(id, '7d')).series).toEqual(before.series)
})

test('goes on where it stopped, also when the probes it began with are gone', async () => {
  const id = await addSite(console)
  await addLooks(id, every(10 * minute, now - 6 * day, now - 2 * hour))
  await runJob(console.ctx, 'probes.roll_up')
  const before = await performanceOf(id, '30d')
  console.clock.advance(4 * day)
  await runJob(console.ctx, 'probes.forget')
  await runJob(console.ctx, 'probes.roll_up')
  const { rows } = await console.ctx.pool.query('select min(at) as first from site_probes')
  expect((rows[0] as { first: Date }).first.getTime()).toBeGreaterThanOrEqual(now - 3 * day)
  const after = await performanceOf(id, '30d')
  expect(after.uptime.known_seconds).toBe(before.uptime.known_seconds)
  expect(after.series.reduce((sum: number, { probes }: { probes: number }) => sum + probes, 0)).toBe(
    before.series.reduce((sum: number, { probes }: { probes: number }) => sum + probes, 0),
  )
  console.clock.advance(400 * day)
  await runJob(console.ctx, 'probes.forget')
  const { rows: left } = await console.ctx.pool.query(
    'select (select count(*) from site_probes)::int as probes, (select count(*) from site_probe_hours)::int as hours',
  )
  expect(left[0]).toEqual({ probes: 0, hours: 0 })
})

test('marks the deployments of the span, failed ones too', async () => {
  const id = await addSite(console)
  const add = (dep: string, at: number, status: string, kind = 'deploy') =>
    console.ctx.pool.query(
      `insert into deployments (id, site_id, kind, origin, status, provider, lane, same_as, queued_at, completed_at, version)
       values ($1, $2, $3, 'console', $4, 'hook', 'lane', $1, $5, $5, 'abc1234')`,
      [dep, id, kind, status, new Date(at)],
    )
  await add('dep_old', now - 2 * day, 'success')
  await add('dep_new', now - hour, 'success', 'rollback')
  await add('dep_bad', now - 3 * hour, 'failed')
  await add('dep_off', now - 2 * hour, 'cancelled')
  const { deployments } = await performanceOf(id, '24h')
  expect(deployments.map((mark: { id: string }) => mark.id)).toEqual(['dep_bad', 'dep_new'])
  expect(deployments[1]).toMatchObject({ kind: 'rollback', status: 'success', version: 'abc1234' })
  expect((await performanceOf(id, '7d')).deployments).toHaveLength(3)
})
