import { randomUUID } from 'node:crypto'
import type { MonitoredSite } from '@agency/contract/monitoring'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestContext, runJob, type TestContext } from '../../../test/context.ts'
import { addChecks, addLooks } from '../../../test/monitoring-rows.ts'
import { type Caller, request } from '../../../test/request.ts'
import { insertRows } from '../../../test/rows.ts'

// What the jobs make of generated timelines, what the screens show of them, and the minutes that a credit is computed from
// equal what is counted second by second from the raw looks.
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

type State = { health: string; maintenance: boolean }
type Point = State & { at: number }

const state = fc.record({
  health: fc.constantFrom('healthy', 'down', 'degraded', 'unknown'),
  maintenance: fc.oneof({ weight: 4, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
})

/** Now and then the state changes, a look is left out, or nobody looks for hours; as parts of the usual step. */
const turn = fc.record({
  change: fc.oneof({ weight: 19, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: state }),
  steps: fc.oneof(
    { weight: 90, arbitrary: fc.constant(1) },
    { weight: 9, arbitrary: fc.constant(3) },
    { weight: 1, arbitrary: fc.integer({ min: 4, max: 120 }) },
  ),
  late: fc.integer({ min: 0, max: 4 }),
})

/** Looks at whole seconds. */
const timelineOf = (stepMs: number) =>
  fc
    .record({
      first: fc.integer({ min: 0, max: 3599 }),
      turns: fc.array(turn, { minLength: 1500, maxLength: 1500, size: 'max' }),
    })
    .map(({ first, turns }): Point[] => {
      const points: Point[] = []
      let now: State = { health: 'healthy', maintenance: false }
      let at = start + first * second
      for (const { change, steps, late } of turns) {
        if (at >= end) break
        now = change ?? now
        points.push({ at, ...now })
        at += steps * stepMs + late * second
      }
      return points
    })

type Window = { opened: number; resolved: number; isFalse: boolean }

/** Incidents about the site, one after the other: some of them never were. */
const windows = fc
  .array(
    fc.record({
      pause: fc.integer({ min: 600, max: 30 * 3600 }),
      length: fc.integer({ min: 1, max: 8 * 3600 }),
      isFalse: fc.boolean(),
    }),
    { minLength: 1, maxLength: 5 },
  )
  .map((all): Window[] => {
    let at = start
    return all.flatMap(({ pause, length, isFalse }) => {
      const opened = at + pause * second
      at = opened + length * second
      return at < end ? [{ opened, resolved: at, isFalse }] : []
    })
  })

const sample = <T>(arbitrary: fc.Arbitrary<T>, count: number): T[] =>
  fc.sample(arbitrary, { numRuns: count, seed: 20_260_310 })

/** An alert opens once a failure is confirmed: what was seen five minutes before belongs to it. */
const leadMs = 5 * 60 * second

/** What a false alarm said, nobody knows. */
const withoutFalse = (points: readonly Point[], all: readonly Window[]): Point[] =>
  points.map((point) => {
    const isBad = point.health === 'down' || point.health === 'degraded'
    const isFalse = all.some(
      (window) => window.isFalse && point.at >= window.opened - leadMs && point.at < window.resolved,
    )
    return isBad && !point.maintenance && isFalse ? { ...point, health: 'unknown' } : point
  })

type Counted = { known: number; down: number; degraded: number; maintenance: number }

const none: Counted = { known: 0, down: 0, degraded: 0, maintenance: 0 }

type Span = { from: number; to: number }

/** One second after the other: whose look it was last, if that is not too long ago. `nameOf`: what an hour belongs to. */
function countBy(
  points: readonly Point[],
  { from, to }: Span,
  staleMs: number,
  nameOf: (at: number) => string,
): Map<string, Counted> {
  const named = new Map<string, Counted>()
  const countedIn = (at: number): Counted => {
    const name = nameOf(at)
    const counted = named.get(name) ?? { ...none }
    named.set(name, counted)
    return counted
  }
  points.forEach((point, index) => {
    const over = Math.min(points[index + 1]?.at ?? Number.POSITIVE_INFINITY, point.at + staleMs, to)
    let counted: Counted | undefined
    for (let at = Math.max(point.at, from); at < over; at += second) {
      if (!counted || at % hour < second) counted = countedIn(at)
      if (point.maintenance) counted.maintenance++
      else if (point.health !== 'unknown') counted.known++
      if (!point.maintenance && point.health === 'down') counted.down++
      if (!point.maintenance && point.health === 'degraded') counted.degraded++
    }
  })
  return named
}

const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10)
const hourOf = (at: number) => new Date(Math.floor(at / hour) * hour).toISOString()

const count = (points: readonly Point[], until: number, staleMs: number): Map<string, Counted> =>
  countBy(points, { from: 0, to: until }, staleMs, dayOf)

async function made(table: string, key: string, span = 'day'): Promise<Map<string, Map<string, Counted>>> {
  const { rows } = await t.ctx.pool.query(
    `select ${key} as id, ${span} as span, known_seconds as known, down_seconds as down, degraded_seconds as degraded,
       maintenance_seconds as maintenance from ${table}`,
  )
  const all = new Map<string, Map<string, Counted>>()
  for (const { id, span: at, ...counted } of rows) {
    const spans = all.get(id) ?? new Map<string, Counted>()
    all.set(id, spans.set(at instanceof Date ? at.toISOString() : at, counted))
  }
  return all
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

function expectSame(found: Map<string, Counted> | undefined, counted: Map<string, Counted>): void {
  for (const span of new Set([...counted.keys(), ...(found?.keys() ?? [])]))
    expect({ span, ...(found?.get(span) ?? none) }).toEqual({ span, ...(counted.get(span) ?? none) })
}

type Generated = { id: string; points: Point[]; windows: Window[] }

const staleMs = 150 * second
const now = end + 5 * 60 * second
const sites: Generated[] = []
let root: Caller

async function addSite({ id, points }: Generated, index: number): Promise<void> {
  const customer = `cus_${index}`
  await t.ctx.pool.query(
    `insert into sites (id, site_name, domain, status, customer_id, created_at, updated_at)
     values ($1, $1, $2, 'active', $3, $4, $4)`,
    [id, `site-${index}.example`, customer, new Date(start)],
  )
  await insertRows(t.ctx.pool, 'customers', [{ id: customer, name: customer }])
  await insertRows(t.ctx.pool, 'subscriptions', [
    { id: `sub_${index}`, customer_id: customer, product_id: 'prod_1', amount: 10_000, mrr: 10_000 },
  ])
  await addLooks(t, id, points)
}

/** A promise that any downtime breaks, so that every credit shows its minutes. */
async function promiseEverything(): Promise<void> {
  await insertRows(t.ctx.pool, 'products', [{ id: 'prod_1', name: 'Care' }])
  await t.ctx.pool.query(
    `insert into uptime_promises (plan_id, version, promise, created_at, created_by)
     values ('prod_1', 1, '{"percent": 99.999, "tiers": [{"below": 99.999, "credit_percent": 1}]}', $1, 'Ada')`,
    [new Date(0)],
  )
}

async function addIncident(site: string, { opened, resolved }: Window): Promise<string> {
  const [id, alert] = [`incident_${randomUUID()}`, randomUUID()]
  await t.ctx.pool.query(
    `insert into incidents (id, severity, status, title, opened_at, resolved_at) values ($1, 'sev3', 'resolved', 'Down', $2, $3)`,
    [id, new Date(opened), new Date(resolved)],
  )
  await t.ctx.pool.query(
    `insert into alerts (id, rule, subject, subject_id, subject_name, severity, status, title, detail, opened_at,
       last_seen_at, resolved_at, incident_id)
     values ($1, 'site.down', 'site', $2, '', 'error', 'resolved', 'Down', '', $3, $3, $4, $5)`,
    [alert, site, new Date(opened), new Date(resolved), id],
  )
  await t.ctx.pool.query(
    'insert into alert_sites (alert_id, site_id, opened_at) select id, $2, opened_at from alerts where id = $1',
    [alert, site],
  )
  return id
}

async function mark(incident: string, is_false_positive: boolean): Promise<void> {
  const { version } = (await root.get(`/incidents/${incident}`)).json().incident
  expect((await root.patch(`/incidents/${incident}`, { version, is_false_positive })).statusCode).toBe(200)
}

async function shownSites(): Promise<Map<string, MonitoredSite>> {
  const shown = new Map<string, MonitoredSite>()
  for (let after = ''; ; ) {
    const answer = (await root.get(`/monitoring/sites?limit=100${after && `&starting_after=${after}`}`)).json()
    for (const site of answer.sites) shown.set(site.id, site)
    if (!answer.has_more) return shown
    after = answer.sites.at(-1).id
  }
}

const sum = (all: Iterable<Counted>) => {
  const total = { ...none }
  for (const each of all) for (const key of Object.keys(total) as (keyof Counted)[]) total[key] += each[key]
  return total
}
const percent = ({ known, down }: Counted) => (known === 0 ? null : (100 * (known - down)) / known)

test(`the days of ${timelines} sites equal their looks`, async () => {
  root = request(t.ctx).as('super_admin')
  await promiseEverything()
  const generated = sample(fc.tuple(timelineOf(300 * second), windows), timelines)
  for (const [index, [points, all]] of generated.entries()) {
    const site = { id: `site_${String(index + 1).padStart(16, '0')}`, points, windows: all }
    sites.push(site)
    await addSite(site, index + 1)
  }
  await rollAlong('probes.roll_up')
  const days = await made('site_probe_days', 'site_id')
  const hours = await made('site_probe_hours', 'site_id', 'hour')
  for (const { id, points } of sites) {
    expectSame(days.get(id), count(points, end, staleMs))
    expectSame(hours.get(id), countBy(points, { from: 0, to: end }, staleMs, hourOf))
  }
})

test('the figures on the screens, and the minutes of a credit, equal the looks without false alarms', async () => {
  t.clock.set(now)
  const incidents: { id: string; site: Generated; index: number; window: Window }[] = []
  for (const [index, site] of sites.entries())
    for (const window of site.windows)
      incidents.push({ id: await addIncident(site.id, window), site, index: index + 1, window })
  for (const { id, window } of incidents) if (window.isFalse) await mark(id, true)

  const hours = await made('counted_site_hours', 'site_id', 'hour')
  const shown = await shownSites()
  for (const { id, points, windows: all } of sites) {
    const counted = withoutFalse(points, all)
    expectSame(hours.get(id), countBy(counted, { from: 0, to: end }, staleMs, hourOf))
    const days = count(counted, now, staleMs)
    const site = shown.get(id)
    const bars = new Map(
      site?.days.map((one) => [
        one.day,
        {
          ...{ known: one.known_seconds, down: one.down_seconds },
          ...{ degraded: one.degraded_seconds, maintenance: one.maintenance_seconds },
        },
      ]),
    )
    expectSame(bars, days)
    const lastDay = countBy(counted, { from: Math.floor(now / hour) * hour - 23 * hour, to: now }, staleMs, () => 'day')
    expect([id, site?.uptime.month, site?.uptime.quarter, site?.uptime.day]).toEqual([
      id,
      ...[percent(sum(days.values())), percent(sum(days.values())), percent(sum(lastDay.values()))],
    ])
  }

  const month = { from: Date.parse('2026-03-01T00:00:00Z'), to: Date.parse('2026-04-01T00:00:00Z') }
  for (const { id, site, index, window } of incidents) {
    const counted = withoutFalse(site.points, site.windows)
    const within = (span: Span) => sum(countBy(counted, span, staleMs, () => 'span').values())
    const from = window.opened - leadMs
    const incident_down_seconds = within({ from, to: window.resolved }).down
    const { credits, measured_by } = (await root.get(`/incidents/${id}/credits`)).json()
    expect(measured_by).toBe('looks')
    expect(credits).toHaveLength(1)
    expect(credits[0].customer_id).toBe(`cus_${index}`)
    const expected = {
      incident_down_seconds,
      earlier_down_seconds: within({ from: month.from, to: from }).down,
      counted_seconds: within({ from: month.from, to: now }).known + (month.to - now) / second,
    }
    expect({ id, lines: credits[0].lines }).toMatchObject({ id, lines: incident_down_seconds === 0 ? [] : [expected] })
  }

  // Taken back, everything is as it was measured.
  for (const { id, window } of incidents) if (window.isFalse) await mark(id, false)
  const measured = await made('site_probe_hours', 'site_id', 'hour')
  const again = await made('counted_site_hours', 'site_id', 'hour')
  for (const { id } of sites) expectSame(again.get(id), measured.get(id) ?? new Map())
})

test('the days of the services equal their checks', async () => {
  const statuses: Record<string, string> = { down: 'unhealthy' }
  const keys = ['database', 'jobs', 'mail', 'stripe']
  const services = new Map<string, Point[]>()
  for (const [index, generated] of sample(timelineOf(60 * second), keys.length).entries()) {
    const points = generated.map((point) => ({ ...point, maintenance: false }))
    services.set(keys[index]!, points)
    await addChecks(
      t,
      points.map(({ at, health }) => ({ key: keys[index]!, at, status: statuses[health] ?? health })),
    )
  }
  t.clock.set(start)
  await rollAlong('monitoring.roll_up')
  const days = await made('service_days', 'key')
  for (const [key, points] of services) expectSame(days.get(key), count(points, end, 90 * second))
})
