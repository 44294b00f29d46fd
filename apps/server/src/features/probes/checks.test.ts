import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/context.ts'
import { request } from '../../../test/request.ts'
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
  await console.ctx.pool.query('delete from sites')
  console.clock.set('2026-03-01T09:00:00Z')
  host.answer((_, response) => response.end('hello'))
  host.asked.length = 0
})
afterAll(async () => {
  await console?.close()
  host.close()
})

const operator = () => request(console.ctx).as(['sites.read', 'sites.write'])
const read = async (id: string) => (await operator().get(`/sites/${id}/checks`)).json().checks
const save = (id: string, body: object) => operator().patch(`/sites/${id}/checks`, body)
const attempt = (id: string, body: object) => operator().post(`/sites/${id}/checks/try`, body)
const entriesOf = async (id: string) => {
  const text = `select before, after from audit_entries where action = 'site.update_checks' and resource_id = $1`
  return (await console.ctx.pool.query(text, [id])).rows
}

describe('the settings', () => {
  test('are as usual until somebody changes them, then a version each', async () => {
    const id = await addSite(console, { domain: 'bakery.example' })
    expect(await read(id)).toEqual({
      ...{ path: null, method: 'GET', interval_seconds: 60, timeout_seconds: 10, retries: 0, failures: 2, of: 2 },
      ...{ statuses: null, keyword: null, json: null, header: null, redirect: { mode: 'follow' }, dns: null },
      ...{ certificate_days: 14, version: 0, url: 'http://bakery.example/', changed_at: null },
    })
    const saved = await save(id, { version: 0, path: '/health', interval_seconds: 300 })
    expect(saved.statusCode).toBe(200)
    expect(saved.json().checks).toMatchObject({
      version: 1,
      url: 'http://bakery.example/health',
      interval_seconds: 300,
    })
    expect(await read(id)).toEqual(saved.json().checks)
    const again = await save(id, { version: 1, path: '/health' })
    expect(again.json().checks.version).toBe(1)
    expect(await entriesOf(id)).toEqual([
      { before: { path: null, interval_seconds: 60 }, after: { path: '/health', interval_seconds: 300 } },
    ])
  })

  test('are not written over by who has read an older version', async () => {
    const id = await addSite(console)
    expect((await save(id, { version: 0, retries: 1 })).statusCode).toBe(200)
    const late = await save(id, { version: 0, retries: 2 })
    expect(late.statusCode).toBe(409)
    expect(late.json()).toMatchObject({ code: 'conflict', parameter: 'version' })
    const both = await Promise.all([save(id, { version: 1, retries: 2 }), save(id, { version: 1, retries: 3 })])
    expect(both.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409])
  })

  test.each([
    ['path', { path: 'https://other.example/' }],
    ['path', { path: '//other.example/' }],
    ['path', { path: 'health' }],
    ['path', { path: 'https://user:secret@bakery.example/' }],
    ['failures', { failures: 3 }],
    ['timeout_seconds', { timeout_seconds: 30, retries: 2 }],
    ['statuses', { statuses: '299-200' }],
    ['statuses', { statuses: '999' }],
    ['interval_seconds', { interval_seconds: 29 }],
    ['method', { method: 'HEAD', keyword: { text: 'x', mode: 'contains' } }],
    ['json', { json: { query: '$..a', value: '' } }],
    ['redirect', { redirect: { mode: 'expect', to: 'javascript:alert(1)' } }],
    ['certificate_days', { certificate_days: 91 }],
  ])('refuse a wrong %s: %o', async (parameter, change) => {
    const id = await addSite(console, { domain: 'bakery.example' })
    for (const answer of [await save(id, { version: 0, ...change }), await attempt(id, change)]) {
      expect(answer.statusCode).toBe(400)
      expect(answer.json().parameter).toContain(parameter)
    }
    expect(host.asked).toEqual([])
    expect((await read(id)).version).toBe(0)
  })

  test('are read and changed with the permissions of sites', async () => {
    const id = await addSite(console)
    const reader = request(console.ctx).as(['sites.read'])
    expect((await reader.get(`/sites/${id}/checks`)).statusCode).toBe(200)
    expect((await reader.patch(`/sites/${id}/checks`, { version: 0, retries: 1 })).statusCode).toBe(403)
    expect((await reader.post(`/sites/${id}/checks/try`, {})).statusCode).toBe(403)
    expect((await request(console.ctx).as(['billing.read']).get(`/sites/${id}/checks`)).statusCode).toBe(403)
    expect((await operator().get('/sites/site_gone/checks')).statusCode).toBe(404)
    expect((await save('site_gone', { version: 0, retries: 1 })).statusCode).toBe(404)
  })
})

describe('what is checked', () => {
  test('decides the state, in words that say what was expected and what came', async () => {
    const id = await addSite(console)
    await save(id, { version: 0, keyword: { text: 'Book now', mode: 'contains' }, failures: 1, of: 1 })
    await lookAtDue(console)
    expect(await siteOf(console, id)).toMatchObject({
      ...{ health_status: 'down', health_detail: 'Expected "Book now", not found' },
    })
    host.answer((_, response) => response.end('<a>Book now</a>'))
    console.clock.advance(minute)
    await lookAtDue(console)
    expect(await siteOf(console, id)).toMatchObject({ health_status: 'healthy' })
  })

  test('is asked by the chosen method, at the chosen path', async () => {
    const asked: string[] = []
    host.answer((incoming, response) => {
      asked.push(`${incoming.method} ${incoming.url}`)
      response.end()
    })
    const id = await addSite(console)
    await save(id, { version: 0, path: '/up?deep=1', method: 'HEAD' })
    await lookAtDue(console)
    expect(asked).toEqual(['HEAD /up?deep=1'])
  })

  test('is tried again at once before a check counts as failed', async () => {
    const id = await addSite(console)
    await save(id, { version: 0, retries: 2 })
    let answers = 0
    host.answer((_, response) => response.writeHead(answers++ < 2 ? 503 : 200).end())
    await lookAtDue(console)
    expect(answers).toBe(3)
    expect(await siteOf(console, id)).toMatchObject({ health_status: 'healthy' })
  })

  test('goes on at the interval of the site, and tells of the time until the next check', async () => {
    const id = await addSite(console)
    await save(id, { version: 0, interval_seconds: 600 })
    await lookAtDue(console)
    for (let passed = 0; passed < 7; passed++) {
      console.clock.advance(minute)
      await lookAtDue(console)
    }
    expect(host.asked).toHaveLength(1)
    expect(await siteOf(console, id)).toMatchObject({ health_status: 'healthy' })
    console.clock.advance(3 * minute)
    await lookAtDue(console)
    expect(host.asked).toHaveLength(2)
    const { performance } = (await operator().get(`/sites/${id}/performance`)).json()
    expect(performance).toMatchObject({ interval_seconds: 600, is_stale: false })
    await console.ctx.pool.query(`update sites set at_provider = 'offline' where id = $1`, [id])
    console.clock.advance(30 * minute)
    await lookAtDue(console)
    expect(await siteOf(console, id)).toMatchObject({ health_status: 'unknown' })
    const later = (await operator().get(`/sites/${id}/performance`)).json().performance
    // From the first look to the second, and two intervals and a little beyond that.
    expect(later.uptime.known_seconds).toBe(600 + 1230)
  })

  test('never ends: that has words of its own', async () => {
    host.answer((_, response) => {
      const more = () => {
        if (!response.destroyed && response.write('x'.repeat(65_536))) setImmediate(more)
      }
      response.on('drain', more)
      more()
    })
    const id = await addSite(console)
    await lookAtDue(console)
    expect(await siteOf(console, id)).toMatchObject({
      health_status: 'degraded',
      health_detail: 'The answer does not end',
    })
  })
})

describe('a try', () => {
  test('says what settings would find, and changes nothing', async () => {
    const id = await addSite(console, { domain: 'bakery.example' })
    host.answer((_, response) => response.end('{"db":{"ok":false}}'))
    const { trial } = (await attempt(id, { path: '/health', json: { query: '$.db.ok', value: 'true' } })).json()
    expect(trial).toMatchObject({
      ...{ health: 'down', detail: 'Expected $.db.ok to be "true", got "false"', status_code: 200, tries: 1 },
      ...{ url: 'http://bakery.example/health', redirects: 0, certificate: null },
    })
    expect(trial.total_ms).toBeGreaterThan(0)
    expect(await siteOf(console, id)).toMatchObject({ health_status: 'unknown', health_checked_at: null })
    expect((await read(id)).version).toBe(0)
    expect((await console.ctx.pool.query('select from site_probes')).rowCount).toBe(0)
    expect(await entriesOf(id)).toHaveLength(0)
  })

  test.each([
    ['none', 'Expected no redirect, got one to http://bakery.example/there'],
    ['expect', 'Expected a redirect to https://bakery.example/, got one to http://bakery.example/there'],
  ])('of redirects: %s', async (mode, words) => {
    const id = await addSite(console, { domain: 'bakery.example' })
    host.answer((_, response) => response.writeHead(302, { location: '/there' }).end())
    const redirect = mode === 'expect' ? { mode, to: 'https://bakery.example/' } : { mode }
    expect((await attempt(id, { redirect })).json().trial).toMatchObject({ health: 'down', detail: words })
    expect((await attempt(id, {})).json().trial.detail).toBe('Redirect loop')
  })

  test('is limited for each person', async () => {
    const id = await addSite(console)
    console.clock.advance(10 * minute)
    const statuses: number[] = []
    for (let tries = 0; tries < 22; tries++) statuses.push((await attempt(id, {})).statusCode)
    expect(statuses.filter((status) => status === 200)).toHaveLength(20)
    expect(statuses.at(-1)).toBe(429)
    console.clock.advance(minute)
    expect((await attempt(id, {})).statusCode).toBe(200)
  })
})
