import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestContext, runJob, type TestContext } from '../../../test/context.ts'
import { type Caller, request } from '../../../test/request.ts'
import { entriesOf, makeSite } from '../../../test/sites.ts'
import { createBeaconReceiver } from './receiver.ts'

const now = '2026-03-10T12:00:00Z'
const minute = 60_000
const browser = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36'
let t: TestContext

beforeAll(async () => {
  t = await createTestContext({ env: { PUBLIC_URL: 'https://console.example' } })
})
beforeEach(() => t.clock.set(now))
afterAll(() => t?.close())

const root = (): Caller => request(t.ctx).as('super_admin')
const beaconOf = async (id: string) => (await root().get(`/sites/${id}/beacon`)).json().beacon
const turn = async (id: string, is_on: boolean) => {
  const { version } = await beaconOf(id)
  return root().patch(`/sites/${id}/beacon`, { is_on, version })
}
async function listening() {
  const site = await makeSite(root())
  expect((await turn(site.id, true)).statusCode).toBe(200)
  return site
}

let addresses = 0
/** Each test comes from addresses of its own. */
const newAddress = () => `10.1.${Math.floor(++addresses / 250)}.${(addresses % 250) + 1}`

type Sent = {
  origin?: string | undefined
  address?: string
  agent?: string
  body?: string
  method?: 'POST' | 'OPTIONS'
}
const tell = (id: string, { origin, address = newAddress(), agent = browser, body = 'view', method = 'POST' }: Sent) =>
  root().inject({
    ...{ method, url: `/beacon/${id}`, remoteAddress: address, payload: body },
    headers: { 'content-type': 'text/plain', 'user-agent': agent, ...(origin !== undefined && { origin }) },
  })
const flush = () => t.ctx.instance(createBeaconReceiver).flush()
const days = async (id: string) =>
  (
    await t.ctx.pool.query(
      `select day::text as day, visits, page_views, goals, is_whole from site_beacon_days where site_id = $1 order by day`,
      [id],
    )
  ).rows

describe('the script', () => {
  test('is served to anybody, from anywhere, and once a day at most', async () => {
    const answer = await root().inject({ method: 'GET', url: '/beacon.js' })
    expect(answer.statusCode).toBe(200)
    expect(answer.headers).toMatchObject({
      ...{ 'content-type': 'text/javascript; charset=utf-8', 'cache-control': 'public, max-age=86400' },
      ...{ 'cross-origin-resource-policy': 'cross-origin', 'x-content-type-options': 'nosniff' },
    })
    expect(answer.headers).not.toHaveProperty('set-cookie')
    const again = await root().inject({
      ...{ method: 'GET', url: '/beacon.js', headers: { 'if-none-match': String(answer.headers['etag']) } },
    })
    expect(again.statusCode).toBe(304)
  })
})

describe('the switch', () => {
  test('is off until somebody opts in, tells what the pages take in, and is audited', async () => {
    const site = await makeSite(root())
    expect(await beaconOf(site.id)).toEqual({
      ...{ is_on: false, heard_from: null, heard_at: null, visits: null, page_views: null, goals: [], version: 0 },
      tag: `<script defer src="https://console.example/beacon.js" data-site="${site.id}"></script>`,
      hosts: [site.domain, `www.${site.domain}`],
    })
    const answer = await turn(site.id, true)
    expect(answer.json().beacon).toMatchObject({ is_on: true, version: 1 })
    const entries = (await entriesOf(t, site.id)).filter(({ action }) => action === 'site.update_beacon')
    expect(entries).toMatchObject([{ before: { is_on: false }, after: { is_on: true } }])
  })

  test('switched to what it is changes nothing, and an older version is refused', async () => {
    const site = await listening()
    expect((await root().patch(`/sites/${site.id}/beacon`, { is_on: true, version: 0 })).json().beacon.version).toBe(1)
    const late = await root().patch(`/sites/${site.id}/beacon`, { is_on: false, version: 0 })
    expect([late.statusCode, late.json().parameter]).toEqual([409, 'version'])
  })

  test('needs sites.write, and a site', async () => {
    const site = await makeSite(root())
    const reader = request(t.ctx).as(['sites.read'])
    expect((await reader.patch(`/sites/${site.id}/beacon`, { is_on: true, version: 0 })).statusCode).toBe(403)
    expect((await root().get('/sites/site_0000000000000000/beacon')).statusCode).toBe(404)
  })
})

describe('what is told', () => {
  test('is counted as page views, visits and goals', async () => {
    const site = await listening()
    const own = { origin: `https://${site.domain}`, address: newAddress() }
    const answer = await tell(site.id, own)
    expect(answer.statusCode).toBe(204)
    expect(answer.headers).toMatchObject({ 'access-control-allow-origin': own.origin, vary: 'origin' })
    await tell(site.id, own)
    await tell(site.id, { ...own, body: 'goal Signup' })
    await tell(site.id, { ...own, address: newAddress() })
    await flush()
    expect(await days(site.id)).toEqual([{ day: '2026-03-10', visits: 2, page_views: 3, goals: 1, is_whole: false }])
    expect(await beaconOf(site.id)).toMatchObject({
      ...{ visits: 2, page_views: 3, goals: [{ goal: 'signup', hits: 1 }] },
      ...{ heard_from: '2026-03-10T12:00:00.000Z', heard_at: '2026-03-10T12:00:00.000Z' },
    })
  })

  test('goes on as one visit until half an hour has passed, and never into the next day', async () => {
    const site = await listening()
    const own = { origin: `https://${site.domain}`, address: newAddress() }
    for (const after of [0, 29, 29, 31]) {
      t.clock.advance(after * minute)
      await tell(site.id, own)
    }
    await flush()
    expect((await days(site.id))[0]).toMatchObject({ visits: 2, page_views: 4 })
    t.clock.set('2026-03-10T23:59:00Z')
    await tell(site.id, own)
    t.clock.set('2026-03-11T00:01:00Z')
    await tell(site.id, own)
    await flush()
    // The first day it was heard on is not counted as a whole.
    expect(await days(site.id)).toMatchObject([
      { day: '2026-03-10', visits: 3, is_whole: false },
      { day: '2026-03-11', visits: 1, is_whole: true },
    ])
  })

  test('makes whole days of the days after the first, until it is switched off', async () => {
    const site = await listening()
    const own = { origin: `https://www.${site.domain}` }
    for (const day of ['2026-03-10', '2026-03-11', '2026-03-12']) {
      t.clock.set(`${day}T12:00:00Z`)
      await tell(site.id, own)
      await flush()
    }
    await turn(site.id, false)
    expect((await days(site.id)).map(({ is_whole }) => is_whole)).toEqual([false, true, false])
    expect((await tell(site.id, own)).statusCode).toBe(404)
    await turn(site.id, true)
    await tell(site.id, own)
    await flush()
    expect((await days(site.id)).at(-1)).toMatchObject({ visits: 2, is_whole: false })
  })

  test('feeds System Analytics', async () => {
    const site = await listening()
    const own = { origin: `https://${site.domain}` }
    await tell(site.id, own)
    await flush()
    t.clock.set('2026-03-11T12:00:00Z')
    await tell(site.id, own)
    await tell(site.id, { ...own, body: 'goal signup' })
    await flush()
    const { top_sites } = (await root().get('/admin/analytics/system')).json().data
    expect(top_sites.find(({ site_id }: { site_id: string }) => site_id === site.id)).toMatchObject({
      ...{ visitors: 2, events: 2, source: 'beacon', event_days: 1 },
    })
  })

  test('of robots is not counted', async () => {
    const site = await listening()
    const own = { origin: `https://${site.domain}` }
    expect((await tell(site.id, { ...own, agent: 'Googlebot/2.1' })).statusCode).toBe(204)
    await flush()
    expect(await days(site.id)).toEqual([])
  })

  test('keeps no more names of goals a day than fifty', async () => {
    const site = await listening()
    const own = { origin: `https://${site.domain}` }
    for (let index = 0; index < 60; index++) {
      await tell(site.id, { ...own, body: `goal g${index}` })
      await flush()
    }
    const { rows } = await t.ctx.pool.query('select count(*)::int as names from site_beacon_goals where site_id = $1', [
      site.id,
    ])
    expect(rows[0].names).toBe(50)
    expect((await days(site.id))[0]).toMatchObject({ goals: 60 })
  })
})

describe('is refused', () => {
  test.each([
    ['another origin', (domain: string) => `https://${domain}.evil.example`],
    ['no origin', () => undefined],
    ['an opaque origin', () => 'null'],
  ])('from %s, without a word on the site', async (_name, originOf) => {
    const site = await listening()
    for (const method of ['POST', 'OPTIONS'] as const) {
      const answer = await tell(site.id, { origin: originOf(site.domain), method })
      expect(answer.statusCode).toBe(404)
      expect(answer.headers).not.toHaveProperty('access-control-allow-origin')
    }
  })

  test('for a site that has not opted in, is deleted, or is none, all the same', async () => {
    const off = await makeSite(root())
    const gone = await listening()
    await root().delete(`/sites/${gone.id}`)
    const answers = [
      await tell(off.id, { origin: `https://${off.domain}` }),
      await tell(gone.id, { origin: `https://${gone.domain}` }),
      await tell('site_0000000000000000', { origin: 'https://any.example' }),
      await tell('../../etc', { origin: 'https://any.example' }),
    ]
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([404, 404, 404, 404])
  })

  test.each([
    ['nothing', '', 400],
    ['another word', 'visit', 400],
    ['personal data as a goal', 'goal ada@example.com', 400],
    ['too much', `goal ${'a'.repeat(100)}`, 413],
  ])('with %s', async (_name, body, status) => {
    const site = await listening()
    expect((await tell(site.id, { origin: `https://${site.domain}`, body })).statusCode).toBe(status)
  })

  test('after so many a minute from one address', async () => {
    const site = await listening()
    const own = { origin: `https://${site.domain}`, address: newAddress() }
    const statuses: number[] = []
    for (let call = 0; call < 125; call++) statuses.push((await tell(site.id, own)).statusCode)
    expect(statuses.filter((status) => status === 204)).toHaveLength(120)
    expect(statuses.at(-1)).toBe(429)
    t.clock.advance(minute)
    expect((await tell(site.id, own)).statusCode).toBe(204)
  })
})

test('a preflight of the site’s own pages is answered', async () => {
  const site = await listening()
  const answer = await tell(site.id, { origin: `https://${site.domain}`, method: 'OPTIONS', body: '' })
  expect(answer.statusCode).toBe(204)
  expect(answer.headers).toMatchObject({ 'access-control-allow-methods': 'POST' })
})

test('no table holds who came', async () => {
  const site = await listening()
  const address = '203.0.113.77'
  await tell(site.id, { origin: `https://${site.domain}`, address })
  await flush()
  for (const table of ['site_beacons', 'site_beacon_hours', 'site_beacon_days', 'site_beacon_goals']) {
    const { rows } = await t.ctx.pool.query(`select count(*)::int as rows from ${table} t where t::text like $1`, [
      `%${address}%`,
    ])
    expect(rows[0].rows).toBe(0)
  }
})

test('hours are forgotten after thirteen months, days are not', async () => {
  const site = await listening()
  await tell(site.id, { origin: `https://${site.domain}` })
  await flush()
  t.clock.set('2027-05-01T00:00:00Z')
  await runJob(t.ctx, 'beacon.forget')
  const { rows } = await t.ctx.pool.query('select count(*)::int as rows from site_beacon_hours where site_id = $1', [
    site.id,
  ])
  expect(rows[0].rows).toBe(0)
  expect(await days(site.id)).toHaveLength(1)
})
