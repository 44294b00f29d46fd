import type { domains } from '@agency/contract'
import type { ResponseOf } from '@agency/contract/endpoint'
import { afterEach, describe, expect, test } from 'vitest'
import { refused } from '../../../test/cloudflare.ts'
import { runJob, type TestContext } from '../../../test/context.ts'
import { readAllBackward, readAllForward } from '../../../test/paging.ts'
import { request } from '../../../test/request.ts'
import { startWorld, type TestZone, zoneOf } from './test/world.ts'

type List = ResponseOf<typeof domains.listDomains>

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

async function open(zones: TestZone[], options: { timeoutMs?: number } = {}) {
  const world = await startWorld(zones, options)
  const t = await world.open()
  closing.push(world.stop, t.close)
  return { ...world, t }
}

const reader = ({ ctx }: TestContext) => request(ctx).as(['sites.read'])
const list = async (t: TestContext, query = ''): Promise<List> =>
  (await reader(t).get(`/cloudflare/domains${query}`)).json()
const refresh = (t: TestContext) => reader(t).post('/cloudflare/domains/refresh')

async function addSite({ ctx }: TestContext, id: string, domain: string): Promise<void> {
  await ctx.pool.query(
    `insert into sites (id, site_name, domain, customer_id, status, created_at, updated_at)
     values ($1, $2, $3, 'cus_1', 'active', now(), now())`,
    [id, `Site of ${domain}`, domain],
  )
}

describe('the list', () => {
  test('is read the first time it is asked for, with everything that Cloudflare says of a zone', async () => {
    const { t } = await open([
      zoneOf('shop'),
      zoneOf('away', { status: 'moved', paused: true, plan: { name: 'Pro Website' } }),
    ])
    const page = await list(t)
    expect(page).toMatchObject({ totalDomains: 2, activeDomains: 1, pausedDomains: 1, has_more: false, total: 2 })
    expect(page).toMatchObject({ stale: false, refreshing: false, problem: null })
    expect(page.domains[1]).toMatchObject({
      id: 'shop',
      name: 'shop.example',
      status: 'active',
      created_on: '2024-03-01T09:00:00Z',
      plan: { id: 'free', name: 'Free Website', price: 0, frequency: null },
      account: { id: 'acc', name: 'Agency' },
      name_server_state: 'expected',
      ssl: { value: null, checked_at: null, problem: null },
      site: null,
      customer: null,
    })
    expect(page.domains[0]).toMatchObject({ id: 'away', paused: true, name_server_state: 'other' })
  })

  test('a plan that is missing or empty is null, whatever is missing in it', async () => {
    const plans = [undefined, null, {}, { name: '' }]
    const { t } = await open(plans.map((plan, index) => zoneOf(`z${index}`, { plan, status: '', created_on: 'never' })))
    const { domains } = await list(t)
    expect(domains.map(({ plan }) => plan?.name ?? null)).toEqual([null, null, null, null])
    expect(domains.map(({ status, created_on }) => [status, created_on])).toEqual(Array(4).fill([null, null]))
  })

  test('is kept whatever strangers write into it', async () => {
    const name = 'a\\u0000 \0 \ud800 <b>'
    const { t } = await open([zoneOf('shop', { plan: { name }, account: { id: 'acc', name } })])
    expect((await list(t)).domains).toMatchObject([{ id: 'shop', plan: { name: 'a\\u0000 \ufffd \ufffd <b>' } }])
  })

  test('comes in pages, forwards and backwards, in every order', async () => {
    const zones = Array.from({ length: 23 }, (_, index) =>
      zoneOf(`z${String(index).padStart(2, '0')}`, {
        plan: { name: `Plan ${index % 3}` },
        modified_on: `2026-01-${10 + (index % 9)}T00:00:00Z`,
      }),
    )
    const { t } = await open(zones)
    await list(t)
    for (const sort of ['name', '-name', 'plan', '-modified_on', 'status']) {
      const path = `/cloudflare/domains?limit=5&sort=${sort}`
      const get = async (page: string) => (await reader(t).get(page)).json()
      const all = await readAllForward(get, path, 'domains')
      expect(new Set(all).size).toBe(23)
      expect(await readAllBackward(get, path, 'domains', all.at(-1))).toEqual(all.slice(0, -1))
    }
  })

  test('is searched by name, status or plan name', async () => {
    const { t } = await open([
      zoneOf('shop'),
      zoneOf('pend', { status: 'pending' }),
      zoneOf('rich', { plan: { name: 'Business Website' } }),
      zoneOf('odd', { plan: { name: '100%_real' } }),
    ])
    const found = async (search: string) =>
      (await list(t, `?search=${encodeURIComponent(search)}`)).domains.map(({ id }) => id)
    expect(await found('SHOP')).toEqual(['shop'])
    expect(await found('pending')).toEqual(['pend'])
    expect(await found('business')).toEqual(['rich'])
    expect(await found('%_')).toEqual(['odd'])
    expect(await found('nothing')).toEqual([])
    expect(await list(t, '?search=shop')).toMatchObject({ totalDomains: 4, total: 1 })
  })

  test('names the site and the customer of a domain, also of one below it', async () => {
    const { t } = await open([zoneOf('shop'), zoneOf('blog'), zoneOf('op')])
    await addSite(t, 'site_aaaaaaaaaaaaaaaa', 'shop.example')
    await addSite(t, 'site_bbbbbbbbbbbbbbbb', 'a.shop.example')
    await addSite(t, 'site_cccccccccccccccc', 'news.blog.example')
    const { domains } = await list(t)
    const sites = Object.fromEntries(domains.map((domain) => [domain.id, domain.site?.id ?? null]))
    expect(sites).toEqual({ shop: 'site_aaaaaaaaaaaaaaaa', blog: 'site_cccccccccccccccc', op: null })
    expect(domains.find(({ id }) => id === 'shop')?.customer).toEqual({ id: 'cus_1', name: null })
  })

  test('refuses who may not read sites, and what is not valid', async () => {
    const { t, asked } = await open([zoneOf('shop')])
    expect((await request(t.ctx).as(['customers.read']).get('/cloudflare/domains')).statusCode).toBe(403)
    expect((await request(t.ctx).as(['customers.read']).post('/cloudflare/domains/refresh')).statusCode).toBe(403)
    for (const query of ['limit=0', 'limit=101', 'sort=colour', 'starting_after=none', 'page=2'])
      expect([query, (await reader(t).get(`/cloudflare/domains?${query}`)).statusCode]).toEqual([query, 400])
    expect(asked.length).toBeLessThanOrEqual(1)
  })

  test('says that nothing is connected', async () => {
    const { t } = await open([])
    t.ctx.replace({ cloudflare: null })
    expect((await reader(t).get('/cloudflare/domains')).json()).toMatchObject({ code: 'not_connected', status: 503 })
    expect((await refresh(t)).json()).toMatchObject({ code: 'not_connected' })
    await runJob(t.ctx, 'domains.refresh')
  })
})

describe('the cache', () => {
  test('answers without asking for ten minutes, and then at once while it is read anew', async () => {
    const { t, asked, world } = await open([zoneOf('shop')])
    await list(t)
    await list(t)
    expect(asked).toHaveLength(1)
    world.zones = [zoneOf('shop', { status: 'pending' }), zoneOf('new')]
    t.clock.advance(11 * 60_000)
    expect(await list(t)).toMatchObject({ stale: true, totalDomains: 1 })
    expect(t.enqueued.map(({ name }) => name)).toEqual(['domains.refresh'])
    await t.runJobs()
    expect(await list(t)).toMatchObject({ stale: false, totalDomains: 2, activeDomains: 1 })
  })

  test('is refreshed on demand; what is gone at Cloudflare is gone', async () => {
    const { t, world } = await open([zoneOf('shop'), zoneOf('gone')])
    await list(t)
    world.zones = [zoneOf('shop', { status: 'moved' })]
    t.clock.advance(1000)
    expect((await refresh(t)).json()).toMatchObject({ stale: false, problem: null })
    expect((await list(t)).domains).toMatchObject([{ id: 'shop', status: 'moved' }])
  })

  test.each([
    ['a block', () => refused(429, 10429, 'Slow down', { 'retry-after': '300' }), 503],
    ['success: false', () => ({ json: { success: false, errors: [{ code: 9, message: 'No' }], result: null } }), 422],
    ['result: null', () => ({ json: { success: true, errors: [], result: null } }), 502],
    ['HTML', () => ({ raw: '<html>' }), 502],
    ['a failure of its own', () => ({ status: 500, raw: 'down' }), 503],
    ['a token that is not good any more', () => refused(401, 1000, 'Invalid API Token'), 502],
    [
      'a list without an end',
      () => ({ json: { success: true, result: Array.from({ length: 50 }, (_, i) => zoneOf(`x${i}`)) } }),
      502,
    ],
  ])('stays with its age after %s, which is told', async (_name, fault, status) => {
    const { t, world } = await open([zoneOf('shop')])
    const before = await list(t)
    world.fault = fault
    t.clock.advance(60_000)
    const failed = await refresh(t)
    expect(failed.statusCode).toBe(status)
    const after = await list(t)
    expect(after).toMatchObject({ stale: true, fetched_at: before.fetched_at, domains: [{ id: 'shop' }] })
    expect(after.problem?.message).toBe(failed.json().detail)
    expect(Date.parse(after.problem?.at ?? '')).toBeGreaterThan(Date.parse(before.fetched_at))
  })

  test('a cut answer and a dead server leave the rows, and a restart keeps them', async () => {
    const { t, world, open: again, stop } = await open([zoneOf('shop')], { timeoutMs: 300 })
    await list(t)
    world.fault = () => ({ json: { success: true, result: [zoneOf('other')] }, cut: true })
    expect((await refresh(t)).statusCode).toBe(503)
    world.fault = () => new Promise(() => {})
    expect((await refresh(t)).json().detail).toContain('no answer in time')
    await stop()
    closing.shift()
    const second = await again(t)
    closing.push(second.close)
    expect((await list(second)).domains).toMatchObject([{ id: 'shop' }])
  })

  test('with nothing known a failure is a problem, and nobody asks again for a minute', async () => {
    const { t, world, asked } = await open([zoneOf('shop')])
    world.fault = () => ({ status: 500, raw: 'down' })
    expect((await reader(t).get('/cloudflare/domains')).json()).toMatchObject({
      status: 503,
      detail: 'Cloudflare API error: down',
    })
    expect((await reader(t).get('/cloudflare/domains')).statusCode).toBe(503)
    expect(asked).toHaveLength(1)
    world.fault = undefined
    t.clock.advance(61_000)
    expect(await list(t)).toMatchObject({ totalDomains: 1 })
  })

  test('is read by one process at a time', async () => {
    const { t, asked, world, open: again } = await open([zoneOf('shop')])
    await list(t)
    const second = await again(t)
    closing.push(second.close)
    const before = asked.length
    let release = () => {}
    const gate = new Promise<void>((resolve) => {
      release = resolve
    })
    world.fault = () => gate as never
    const reading = refresh(t)
    await expect.poll(() => asked.length - before).toBe(1)
    const others = await Promise.all([refresh(second), refresh(second)])
    release()
    const answers = [await reading, ...others]
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200])
    expect(asked.length - before).toBe(1)
    expect(answers.filter((answer) => answer.json().refreshing)).toHaveLength(2)
  })

  test('of another connection is not shown', async () => {
    const { t } = await open([zoneOf('shop')])
    await list(t)
    const other = await startWorld([zoneOf('theirs')])
    const u = await other.open(t)
    closing.push(other.stop, u.close)
    expect((await list(u)).domains).toMatchObject([{ id: 'theirs' }])
    expect(await t.ctx.db.selectFrom('domains').select('id').execute()).toEqual([{ id: 'theirs' }])
  })
})

describe('SSL mode and DNSSEC', () => {
  const settingsOf = async (t: TestContext) => (await list(t)).domains.map(({ ssl, dnssec }) => [ssl, dnssec])

  test('are read behind the list, and are an hour old at most', async () => {
    const { t, asked } = await open([zoneOf('a'), zoneOf('b')])
    await runJob(t.ctx, 'domains.refresh')
    await t.runJobs()
    expect(await settingsOf(t)).toEqual(
      Array(2).fill([
        { value: 'strict', checked_at: expect.any(String), problem: null },
        { value: 'active', checked_at: expect.any(String), problem: null },
      ]),
    )
    const before = asked.length
    await runJob(t.ctx, 'domains.settings')
    expect(asked.length).toBe(before)
    t.clock.advance(61 * 60_000)
    await runJob(t.ctx, 'domains.settings')
    expect(asked.length - before).toBe(4)
  })

  test('say which right the token lacks, and nothing else then', async () => {
    const { t, world } = await open([zoneOf('a')])
    world.fault = ({ path }) => (path === '/zones' ? undefined : refused(403, 10000, 'Authentication error'))
    await runJob(t.ctx, 'domains.refresh')
    await t.runJobs()
    const [[ssl, dnssec] = []] = await settingsOf(t)
    expect(ssl).toMatchObject({ value: null, problem: 'No access: the token lacks Zone Settings:Read' })
    expect(dnssec).toMatchObject({ value: null, problem: 'No access: the token lacks DNS:Read' })
  })

  test('of one domain are read anew when they are old, and keep their age when that fails', async () => {
    const { t, world } = await open([zoneOf('a')])
    await list(t)
    const get = async () => (await reader(t).get('/cloudflare/domains/a')).json().domain
    const first = await get()
    expect(first).toMatchObject({
      ssl: { value: 'strict' },
      name_servers: ['ada.ns.cloudflare.com', 'bob.ns.cloudflare.com'],
    })
    expect(first.dashboard_url).toBe('https://dash.cloudflare.com/acc/a.example')
    world.fault = () => ({ status: 503, raw: 'down' })
    expect(await get()).toEqual(first)
    t.clock.advance(11 * 60_000)
    expect((await get()).ssl).toEqual({
      value: 'strict',
      checked_at: first.ssl.checked_at,
      problem: 'Cloudflare API error: down',
    })
  })

  test('of a domain that is not there: 404', async () => {
    const { t } = await open([zoneOf('a')])
    await list(t)
    for (const path of ['domains/none', 'zones/none/records', 'zones/none/purge', 'domains/%00'])
      expect([path, (await reader(t).get(`/cloudflare/${path}`)).statusCode]).toEqual([path, 404])
  })
})

describe('the dashboard', () => {
  const section = async ({ ctx }: TestContext) =>
    (await request(ctx).as(['sites.read']).get('/dashboard?sections=domains')).json().domains

  test('waits for nothing: unknown domains are read behind it', async () => {
    const { t, asked } = await open([zoneOf('a'), zoneOf('b', { paused: true })])
    expect(await section(t)).toMatchObject({ ok: false, code: 'unavailable' })
    expect(asked).toHaveLength(0)
    await t.runJobs()
    expect(await section(t)).toMatchObject({
      ok: true,
      data: { connected: true, totalDomains: 2, pausedDomains: 1, stale: false, domains: [{ id: 'a' }, { id: 'b' }] },
    })
  })

  test('says why nothing is known', async () => {
    const { t, world } = await open([zoneOf('a')])
    world.fault = () => ({ status: 500, raw: 'down' })
    await runJob(t.ctx, 'domains.refresh')
    expect(await section(t)).toEqual({ ok: false, code: 'provider_unavailable', error: 'Cloudflare API error: down' })
    t.ctx.replace({ cloudflare: null })
    t.ctx.changes.tell('domains')
    expect((await section(t)).data).toEqual({ connected: false, reason: 'Cloudflare is not connected' })
  })
})
