import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/context.ts'
import { request } from '../../../test/request.ts'
import { missingWords, withHeartbeat } from './heartbeat-rule.ts'
import { addSite, type Host, lookAtDue, openHost, siteOf } from './test/world.ts'

const minute = 60_000
let host: Host
let console: TestContext

beforeAll(async () => {
  host = await openHost()
  console = await createTestContext()
  host.openTo(console)
})
beforeEach(async () => {
  await console.ctx.pool.query(`delete from sites; delete from instance_settings where key = 'probes.listening'`)
  console.clock.set('2026-03-01T09:00:00Z')
  host.answer((_, response) => response.end('hello'))
})
afterAll(async () => {
  await console?.close()
  host.close()
})

const operator = () => request(console.ctx).as(['sites.read', 'sites.write'])
const read = async (id: string) => (await operator().get(`/sites/${id}/heartbeat`)).json().heartbeat
const change = (id: string, body: object) => operator().patch(`/sites/${id}/heartbeat`, body)
const rotate = async (id: string) => (await operator().post(`/sites/${id}/heartbeat/address`, {})).json()
const call = (path: string, method: 'GET' | 'POST' = 'POST', address = '198.51.100.7') =>
  request(console.ctx).anonymous(address).inject({ method, url: path })
/** A minute after the other, with the looks and the sweep of each. */
async function pass(minutes: number): Promise<void> {
  for (let passed = 0; passed < minutes; passed++) {
    console.clock.advance(minute)
    await lookAtDue(console)
  }
}

describe('the rule', () => {
  const now = Date.parse('2026-03-01T09:12:00Z')
  const missing = {
    ...{ since: new Date('2026-03-01T09:00:00Z'), hasCalled: true, everyMinutes: 5 },
    whenMissing: 'degraded' as const,
  }
  const judged = (health: 'healthy' | 'degraded' | 'down', detail = 'Answered in 4.0 seconds') => ({
    ...{ health, detail, failures: 0, recent: 0 },
  })

  test('says for how long and what was expected', () => {
    expect(missingWords(missing, now)).toBe('No heartbeat for 12 min, expected every 5')
    expect(missingWords({ ...missing, hasCalled: false }, now)).toBe('No heartbeat in 12 min, expected every 5')
    expect(missingWords({ ...missing, everyMinutes: 1440 }, now + 30 * 3_600_000)).toBe(
      'No heartbeat for 30 h, expected every 24 h',
    )
  })

  test.each([
    ['healthy', 'degraded', 'degraded', 'No heartbeat for 12 min, expected every 5'],
    ['healthy', 'down', 'down', 'No heartbeat for 12 min, expected every 5'],
    ['degraded', 'degraded', 'degraded', 'No heartbeat for 12 min, expected every 5. Answered in 4.0 seconds'],
    ['degraded', 'down', 'down', 'No heartbeat for 12 min, expected every 5. Answered in 4.0 seconds'],
    ['down', 'degraded', 'down', 'Answered in 4.0 seconds'],
  ] as const)('%s and %s when missing is %s', (health, whenMissing, both, detail) => {
    expect(withHeartbeat(judged(health), { ...missing, whenMissing }, 'active', now)).toMatchObject({
      ...{ health: both, detail },
    })
  })

  test('leaves a site alone whose calls come, or that was never deployed', () => {
    expect(withHeartbeat(judged('healthy'), null, 'active', now).health).toBe('healthy')
    expect(withHeartbeat(judged('healthy'), missing, 'pending', now).health).toBe('healthy')
  })
})

describe('the settings', () => {
  test('begin with an address that is shown once and kept as a hash', async () => {
    const id = await addSite(console)
    expect(await read(id)).toMatchObject({ state: 'off', has_address: false, version: 0 })
    expect((await change(id, { version: 0, is_on: true })).statusCode).toBe(409)
    const { address, heartbeat } = await rotate(id)
    expect(address).toMatch(/^\/heartbeats\/[\w-]{32}$/)
    expect(heartbeat).toMatchObject({ state: 'waiting', is_on: true, version: 1, due_at: '2026-03-01T09:07:00.000Z' })
    const token = address.split('/').at(-1)
    for (const table of ['site_heartbeats', 'audit_entries']) {
      const { rows } = await console.ctx.pool.query(`select string_agg(t::text, '') as all from ${table} t`)
      expect(rows[0].all).not.toContain(token)
    }
    expect(JSON.stringify(await read(id))).not.toContain(token)
  })

  test('are changed by version, and refuse what is no number of minutes', async () => {
    const id = await addSite(console)
    expect((await change(id, { version: 0, every_minutes: 60 })).json().heartbeat).toMatchObject({
      ...{ version: 1, every_minutes: 60, state: 'off' },
    })
    expect((await change(id, { version: 0, every_minutes: 30 })).statusCode).toBe(409)
    expect((await change(id, { version: 1, every_minutes: 0 })).statusCode).toBe(400)
    expect((await change(id, { version: 1, grace_minutes: 1.5 })).statusCode).toBe(400)
  })

  test('need the permissions of sites', async () => {
    const id = await addSite(console)
    const reader = request(console.ctx).as(['sites.read'])
    expect((await reader.get(`/sites/${id}/heartbeat`)).statusCode).toBe(200)
    expect((await reader.post(`/sites/${id}/heartbeat/address`, {})).statusCode).toBe(403)
    expect((await reader.patch(`/sites/${id}/heartbeat`, { version: 0, is_on: false })).statusCode).toBe(403)
  })
})

describe('calls', () => {
  test('keep a site well, their absence degrades it in its words, and the next one brings it back', async () => {
    const id = await addSite(console)
    const { address } = await rotate(id)
    await pass(4)
    expect((await call(address, 'GET')).statusCode).toBe(200)
    expect(await read(id)).toMatchObject({ state: 'received', last_at: '2026-03-01T09:04:00.000Z' })
    await pass(6)
    expect(await siteOf(console, id)).toMatchObject({ health_status: 'healthy' })
    await pass(2)
    expect(await siteOf(console, id)).toMatchObject({
      ...{ health_status: 'degraded', health_detail: 'No heartbeat for 8 min, expected every 5' },
    })
    expect(await read(id)).toMatchObject({ state: 'missing' })
    expect((await call(address)).statusCode).toBe(200)
    console.clock.advance(1000)
    await lookAtDue(console)
    expect(await siteOf(console, id)).toMatchObject({ health_status: 'healthy' })
  })

  test('show soon in a site that is looked at seldom', async () => {
    const id = await addSite(console)
    const { address } = await rotate(id)
    await operator().patch(`/sites/${id}/checks`, { version: 0, interval_seconds: 3600 })
    await change(id, { version: 1, when_missing: 'down' })
    await call(address)
    await pass(10)
    expect(await siteOf(console, id)).toMatchObject({ health_status: 'down' })
    await call(address)
    await pass(1)
    expect(await siteOf(console, id)).toMatchObject({ health_status: 'healthy' })
  })

  test('are not missing because nobody could hear them', async () => {
    const id = await addSite(console)
    const { address } = await rotate(id)
    await pass(1)
    await call(address)
    console.clock.advance(60 * minute)
    await lookAtDue(console)
    await pass(3)
    expect(await siteOf(console, id)).toMatchObject({ health_status: 'healthy' })
    await pass(6)
    expect(await siteOf(console, id)).toMatchObject({ health_status: 'degraded' })
  })

  test('end with the address, and while it is off', async () => {
    const id = await addSite(console)
    const first = await rotate(id)
    const second = await rotate(id)
    expect((await call(first.address)).statusCode).toBe(404)
    expect((await call(second.address)).statusCode).toBe(200)
    const off = await change(id, { version: 2, is_on: false })
    expect(off.json().heartbeat.state).toBe('off')
    console.clock.advance(minute)
    expect((await call(second.address)).statusCode).toBe(404)
    await pass(12)
    expect(await siteOf(console, id)).toMatchObject({ health_status: 'healthy' })
  })

  test('in a flood change one row once, and guesses end soon', async () => {
    const id = await addSite(console)
    const { address } = await rotate(id)
    const text = 'select xmin::text as version from site_heartbeats where site_id = $1'
    await call(address)
    const before = (await console.ctx.pool.query(text, [id])).rows
    const answers = await Promise.all(Array.from({ length: 200 }, () => call(address)))
    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200]))
    expect((await console.ctx.pool.query(text, [id])).rows).toEqual(before)
    const guesses: number[] = []
    for (let guess = 0; guess < 35; guess++)
      guesses.push((await call(`/heartbeats/${'x'.repeat(30)}${guess}`, 'POST', '198.51.100.99')).statusCode)
    expect(guesses.slice(0, 30).every((status) => status === 404)).toBe(true)
    expect(guesses.at(-1)).toBe(429)
    expect((await call(address)).statusCode).toBe(200)
  })
})
