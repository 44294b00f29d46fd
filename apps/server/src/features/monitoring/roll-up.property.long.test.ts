import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestContext, runJob, type TestContext } from '../../../test/context.ts'
import { addChecks, addLooks } from './test/rows.ts'

// The days that the jobs make of generated timelines equal those that are counted second by second from the raw looks.
const second = 1000
const hour = 3600 * second
const day = 24 * hour
const end = Date.parse('2026-03-10T06:00:00Z')
const start = end - 5 * day
const timelines = 200
let t: TestContext

beforeAll(async () => {
  t = await createTestContext({ now: new Date(start).toISOString() })
})
afterAll(() => t?.close())

function chances(seed: number) {
  let turn = seed * 7919 + 1
  return () => {
    turn = (turn * 16_807) % 2_147_483_647
    return turn / 2_147_483_647
  }
}

type State = { health: string; maintenance: boolean }
type Point = State & { at: number }

const healths = ['healthy', 'down', 'degraded', 'unknown']

/** Looks at whole seconds: now and then the state changes, a look is left out, or nobody looks for hours. */
function timeline(seed: number, stepMs: number): Point[] {
  const chance = chances(seed)
  const points: Point[] = []
  let state: State = { health: 'healthy', maintenance: false }
  for (let at = start + Math.floor(chance() * hour); at < end; ) {
    if (chance() < 0.05) state = { health: healths[Math.floor(chance() * 4)] ?? 'healthy', maintenance: chance() < 0.2 }
    points.push({ at: Math.floor(at / second) * second, ...state })
    const gap = chance()
    at += gap < 0.01 ? chance() * 10 * hour : gap < 0.1 ? 3 * stepMs : stepMs + Math.floor(chance() * 5) * second
  }
  return points
}

type Counted = { known: number; down: number; degraded: number; maintenance: number }

/** One second after the other: whose look it was last, if that is not too long ago. */
function count(points: readonly Point[], until: number, staleMs: number): Map<string, Counted> {
  const days = new Map<string, Counted>()
  points.forEach((point, index) => {
    const over = Math.min(points[index + 1]?.at ?? Number.POSITIVE_INFINITY, point.at + staleMs, until)
    for (let at = point.at; at < over; at += second) {
      const date = new Date(at).toISOString().slice(0, 10)
      const counted = days.get(date) ?? { known: 0, down: 0, degraded: 0, maintenance: 0 }
      days.set(date, counted)
      if (point.maintenance) counted.maintenance++
      else if (point.health !== 'unknown') counted.known++
      if (!point.maintenance && point.health === 'down') counted.down++
      if (!point.maintenance && point.health === 'degraded') counted.degraded++
    }
  })
  return days
}

const none: Counted = { known: 0, down: 0, degraded: 0, maintenance: 0 }

async function madeDays(table: string, key: string): Promise<Map<string, Map<string, Counted>>> {
  const { rows } = await t.ctx.pool.query(
    `select ${key} as id, day, known_seconds as known, down_seconds as down, degraded_seconds as degraded,
       maintenance_seconds as maintenance from ${table}`,
  )
  const made = new Map<string, Map<string, Counted>>()
  for (const { id, day: date, ...counted } of rows) {
    const days = made.get(id) ?? new Map<string, Counted>()
    made.set(id, days.set(date, counted))
  }
  return made
}

/** The jobs run now and then, as often as they like. */
async function rollAlong(job: string): Promise<void> {
  for (let at = start; at <= end; at += 7 * hour) {
    t.clock.set(at)
    await runJob(t.ctx, job)
  }
  t.clock.set(end + 5 * 60 * second)
  await runJob(t.ctx, job)
}

function expectSame(made: Map<string, Counted> | undefined, counted: Map<string, Counted>): void {
  for (const date of new Set([...counted.keys(), ...(made?.keys() ?? [])]))
    expect({ date, ...(made?.get(date) ?? none) }).toEqual({ date, ...(counted.get(date) ?? none) })
}

test(`the days of ${timelines} sites equal their looks`, async () => {
  const sites = new Map<string, Point[]>()
  for (let seed = 1; seed <= timelines; seed++) {
    const id = `site_${String(seed).padStart(16, '0')}`
    await t.ctx.pool.query(
      `insert into sites (id, site_name, domain, status, created_at, updated_at) values ($1, $1, $2, 'active', $3, $3)`,
      [id, `site-${seed}.example`, new Date(start)],
    )
    const points = timeline(seed, 300 * second)
    sites.set(id, points)
    await addLooks(t, id, points)
  }
  await rollAlong('probes.roll_up')
  const made = await madeDays('site_probe_days', 'site_id')
  for (const [id, points] of sites) expectSame(made.get(id), count(points, end, 150 * second))
}, 120_000)

test('the days of the services equal their checks', async () => {
  const statuses: Record<string, string> = { down: 'unhealthy' }
  const services = new Map<string, Point[]>()
  for (const [seed, key] of ['database', 'jobs', 'mail', 'stripe'].entries()) {
    const points = timeline(1000 + seed, 60 * second).map((point) => ({ ...point, maintenance: false }))
    services.set(key, points)
    await addChecks(
      t,
      points.map(({ at, health }) => ({ key, at, status: statuses[health] ?? health })),
    )
  }
  await rollAlong('monitoring.roll_up')
  const made = await madeDays('service_days', 'key')
  for (const [key, points] of services) expectSame(made.get(key), count(points, end, 90 * second))
}, 120_000)
