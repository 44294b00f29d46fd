import type { Site } from '@agency/contract/types'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/context.ts'
import { parseCsv } from '../../../test/csv.ts'
import { exportFile, exportsEnv } from '../../../test/exports.ts'
import { type Caller, request } from '../../../test/request.ts'
import { insertRows } from '../../../test/rows.ts'
import { countEntries, entriesOf, makeSite, siteOf } from '../../../test/sites.ts'
import { applyProbe } from './index.ts'

let t: TestContext
let writer: Caller
let reader: Caller

beforeAll(async () => {
  t = await createTestContext({ now: '2026-11-21T12:00:00Z', env: await exportsEnv() })
  await insertRows(t.ctx.pool, 'customers', [
    { id: 'cus_ada', name: 'Ada Bakery', email: 'ada@example.com' },
    { id: 'cus_bob', name: null, email: 'bob@example.com' },
    { id: 'cus_eve', name: 'Éve Ltd', email: 'eve@example.com' },
  ])
  writer = request(t.ctx).as(['sites.read', 'sites.write'])
  reader = request(t.ctx).as(['sites.read'])
})
afterAll(() => t.close())

const list = async (query = ''): Promise<{ sites: Site[]; has_more: boolean; total: number | null; summary: object }> =>
  (await reader.get(`/sites${query}`)).json()
const idsOf = async (query: string) => (await list(query)).sites.map(({ id }) => id)
const siteCount = async (id: string) =>
  (await t.ctx.pool.query('select site_count from customers where id = $1', [id])).rows[0].site_count

test('a new site is pending, unknown and nobody’s figures; its address is its domain', async () => {
  const site = await makeSite(writer, { site_name: '  Bakery ', domain: 'Bäckerei.Example.', customer_id: 'cus_ada' })
  expect(site).toMatchObject({
    ...{ site_name: 'Bakery', domain: 'xn--bckerei-5wa.example', deployment_url: 'https://xn--bckerei-5wa.example' },
    ...{ customer_id: 'cus_ada', customer_name: 'Ada Bakery', status: 'pending', at_provider: 'served', version: 1 },
    ...{ health_status: 'unknown', ssl_status: 'pending', performance_score: null, storage_used: null },
    ...{ bandwidth_used: null, last_deployment: null, health_checked_at: null },
    owner: { id: 'cus_ada', name: 'Ada Bakery', email: 'ada@example.com' },
    settings: { provider: null, pages: null, hook: null, health_path: '/' },
    status_changes: [{ from_status: null, to_status: 'pending', cause: 'created' }],
    next_statuses: ['active', 'maintenance'],
    can: { suspend: null, resume: 'Not suspended', delete: null },
  })
  expect(site.id).toMatch(/^site_[a-z0-9]{16}$/)
  expect(await entriesOf(t, site.id)).toMatchObject([{ action: 'site.create', after: { site_name: 'Bakery' } }])
})

test.each([
  ['no name', { site_name: ' ', domain: 'a.example' }, 'Please fill in required fields'],
  ['no domain', { site_name: 'A', domain: '' }, 'Please fill in required fields'],
  ['an address for a domain', { site_name: 'A', domain: 'https://a.example' }, 'A domain is a host name'],
  ['a number for a domain', { site_name: 'A', domain: '127.0.0.1' }, 'A domain is a host name'],
  ['one word for a domain', { site_name: 'A', domain: 'localhost' }, 'A domain is a host name'],
  ['a script', { site_name: 'A', domain: 'a.example', deployment_url: 'javascript:alert(1)' }, 'begins with http'],
  ['data', { site_name: 'A', domain: 'a.example', deployment_url: 'data:text/html,x' }, 'begins with http'],
  ['a password', { site_name: 'A', domain: 'a.example', deployment_url: 'https://a:b@a.example' }, 'no user name'],
  ...['http://10.0.0.4', 'http://[::1]/', 'https://localhost', 'http://a.localhost', 'https://a.example:8443'].map(
    (deployment_url): [string, object, string] => [
      deployment_url,
      { site_name: 'A', domain: 'a.example', deployment_url },
      'A deployment URL leads to the public internet',
    ],
  ),
  ['nobody', { site_name: 'A', domain: 'a.example', customer_id: 'cus_none' }, 'Unknown customer'],
  ['an unknown field', { site_name: 'A', domain: 'a.example', health_status: 'healthy' }, ''],
])('refuses %s, and keeps nothing', async (_what, body, text) => {
  const before = [await countEntries(t), (await list()).total]
  const answer = await writer.post('/sites', body)
  expect(answer.statusCode).toBe(400)
  expect(answer.json().detail).toContain(text)
  expect([await countEntries(t), (await list()).total]).toEqual(before)
})

test('a domain belongs to one live site, however it is spelled', async () => {
  const first = await makeSite(writer, { site_name: 'First', domain: 'only.example' })
  const again = await writer.post('/sites', { site_name: 'Second', domain: 'ONLY.example.' })
  expect(again.statusCode).toBe(409)
  expect(again.json()).toMatchObject({
    parameter: 'domain',
    detail: expect.stringContaining('First already has the domain'),
  })
  expect((await writer.delete(`/sites/${first.id}`)).statusCode).toBe(200)
  expect((await makeSite(writer, { site_name: 'Second', domain: 'only.example' })).domain).toBe('only.example')
})

test('many at once with one domain make one site', async () => {
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, n) => writer.post('/sites', { site_name: `Race ${n}`, domain: 'race.example' })),
  )
  expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, ...Array(7).fill(409)])
})

test('a repeat under the same key answers the first site', async () => {
  const body = { site_name: 'Once', domain: 'once.example' }
  const send = (sent: object) => writer.post('/sites', sent, { 'idempotency-key': 'once-1234567890' })
  const [first, second] = [await send(body), await send(body)]
  expect(second.json().site.id).toBe(first.json().site.id)
  expect((await send({ ...body, site_name: 'Other' })).statusCode).toBe(409)
  expect((await list('?search=once.example')).sites).toHaveLength(1)
})

test('without the permission nothing is read or written', async () => {
  const { id } = await makeSite(writer)
  const nobody = request(t.ctx).as(['customers.read'])
  for (const path of ['/sites', `/sites/${id}`, `/sites/${id}/settings`, `/sites/${id}/environment`])
    expect((await nobody.get(path)).statusCode).toBe(403)
  expect((await reader.post('/sites', { site_name: 'A', domain: 'a.example' })).statusCode).toBe(403)
  expect((await reader.patch(`/sites/${id}`, { version: 1, site_name: 'A' })).statusCode).toBe(403)
  expect((await reader.delete(`/sites/${id}`)).statusCode).toBe(403)
  expect((await reader.get('/sites/owners')).statusCode).toBe(403)
})

test('a change keeps what it does not name; a default address goes along with the domain', async () => {
  const site = await makeSite(writer, { domain: 'before.example' })
  t.clock.advance(1000)
  const answer = await writer.patch(`/sites/${site.id}`, { version: 1, domain: 'after.example' })
  expect(answer.json().site).toMatchObject({
    ...{ site_name: site.site_name, domain: 'after.example', deployment_url: 'https://after.example', version: 2 },
  })
  const own = { version: 2, deployment_url: 'http://elsewhere.example/path' }
  await writer.patch(`/sites/${site.id}`, own)
  const moved = await writer.patch(`/sites/${site.id}`, { version: 3, domain: 'third.example' })
  expect(moved.json().site.deployment_url).toBe('http://elsewhere.example/path')
  const cleared = await writer.patch(`/sites/${site.id}`, { version: 4, deployment_url: '' })
  expect(cleared.json().site).toMatchObject({ deployment_url: 'https://third.example', version: 5 })
  const same = await writer.patch(`/sites/${site.id}`, { version: 5, domain: 'third.example' })
  expect(same.json().site.version).toBe(5)
  const updates = (await entriesOf(t, site.id)).filter(({ action }) => action === 'site.update')
  expect(updates).toHaveLength(4)
  expect(updates[0]).toMatchObject({ before: { domain: 'before.example' }, after: { domain: 'after.example' } })
})

test('a change over somebody else’s change of the same field is refused, of another field is kept', async () => {
  const { id } = await makeSite(writer, { site_name: 'Ours' })
  await writer.patch(`/sites/${id}`, { version: 1, site_name: 'Theirs' })
  const crossed = await writer.patch(`/sites/${id}`, { version: 1, site_name: 'Mine' })
  expect(crossed.statusCode).toBe(409)
  expect(crossed.json()).toMatchObject({
    parameter: 'version',
    detail: expect.stringMatching(/^Test .* changed site name of this site\. Nothing was saved/),
  })
  const beside = await writer.patch(`/sites/${id}`, { version: 1, template_type: 'shop' })
  expect(beside.json().site).toMatchObject({ site_name: 'Theirs', template_type: 'shop', version: 3 })
  expect((await writer.patch(`/sites/${id}`, { version: 99, site_name: 'Mine' })).statusCode).toBe(400)
})

test('a deleted site leaves the lists and the counts, and says before what that reaches', async () => {
  const site = await makeSite(writer, { customer_id: 'cus_bob' })
  expect(site.customer_name).toBe('bob@example.com')
  expect(await siteCount('cus_bob')).toBe(1)
  const before = await list()
  const { preview } = (await writer.get(`/sites/${site.id}/delete`)).json()
  expect(preview).toMatchObject({ blocked: null, site: { id: site.id }, warnings: ['Belongs to bob@example.com'] })
  expect((await writer.delete(`/sites/${site.id}`)).json()).toEqual({ success: true })
  const after = await list()
  expect(after.total).toBe((before.total ?? 0) - 1)
  expect(await idsOf('?limit=100')).not.toContain(site.id)
  expect(await siteCount('cus_bob')).toBe(0)
  expect((await reader.get(`/sites/${site.id}`)).statusCode).toBe(404)
  expect((await writer.delete(`/sites/${site.id}`)).statusCode).toBe(404)
  expect((await entriesOf(t, site.id)).at(-1)).toMatchObject({ action: 'site.delete', before: { domain: site.domain } })
})

test('a running deployment keeps a site from being deleted', async () => {
  const { id } = await makeSite(writer)
  const now = new Date(t.clock.now())
  const row = { site_id: id, kind: 'deploy', origin: 'console', provider: 'hook', lane: id, queued_at: now }
  await t.ctx.db
    .insertInto('deployments')
    .values({ ...row, id: 'dep_open', status: 'building', same_as: 'x' })
    .execute()
  expect((await writer.get(`/sites/${id}/delete`)).json().preview.blocked).toContain('A deployment is running')
  const refused = await writer.delete(`/sites/${id}`)
  expect(refused.statusCode).toBe(409)
  expect((await siteOf(reader, id)).status).toBe('pending')
})

test('finds by name, domain and customer, filters, sorts and pages', async () => {
  const shop = await makeSite(writer, { site_name: 'Zebra Shop', domain: 'zz.example', customer_id: 'cus_eve' })
  const other = await makeSite(writer, { site_name: 'Ähnlich', domain: 'aehnlich.example' })
  expect(await idsOf('?search=ZEBRA')).toEqual([shop.id])
  expect(await idsOf('?search=zz.ex')).toEqual([shop.id])
  expect(await idsOf('?search=%C3%A9ve')).toEqual([shop.id])
  expect(await idsOf('?search=100%25')).toEqual([])
  expect(await idsOf('?customer_id=cus_eve')).toEqual([shop.id])
  await applyProbe(t.ctx as never, shop.id, {
    ...{ at: new Date(t.clock.now()), health: 'healthy', before: 'unknown', detail: null, responseMs: 120, score: 91 },
    ssl: { status: 'active', expiresAt: new Date('2027-01-01'), issuer: 'Test' },
  })
  expect(await idsOf('?health=healthy')).toEqual([shop.id])
  expect(await idsOf('?ssl=active')).toEqual([shop.id])
  expect(await idsOf('?ssl=issues&limit=100')).not.toContain(shop.id)
  expect((await list('?ssl=issues')).total).toBe((await list()).total! - 1)
  expect((await idsOf('?sort=-performance_score'))[0]).toBe(shop.id)
  expect((await idsOf('?sort=-site_name'))[0]).toBe(shop.id)
  expect((await idsOf('?sort=site_name'))[0]).toBe(other.id)
  const all = await idsOf('?sort=site_name&limit=100')
  const paged: string[] = []
  for (let after = ''; ; ) {
    const page = await list(`?sort=site_name&limit=3${after}`)
    paged.push(...page.sites.map(({ id }) => id))
    if (!page.has_more) break
    after = `&starting_after=${page.sites.at(-1)?.id}`
  }
  expect(paged).toEqual(all)
  for (const query of ['?limit=0', '?limit=101', '?status=deleted', '?sort=domain', '?starting_after=site_none'])
    expect((await reader.get(`/sites${query}`)).statusCode).toBe(400)
})

test('the cards count what there is', async () => {
  const { rows } = await t.ctx.pool.query(
    `select count(*)::int as total, count(*) filter (where status = 'active')::int as active,
      count(*) filter (where health_status = 'healthy')::int as healthy,
      count(*) filter (where ssl_status <> 'active')::int as ssl_issues
    from sites where deleted_at is null`,
  )
  expect((await list()).summary).toEqual(rows[0])
})

async function rename(change: string): Promise<void> {
  await t.ctx.pool.query(`update customers set ${change} where id = 'cus_ada'`)
  for (const topic of ['customers', 'sites'] as const) t.ctx.changes.tell(topic)
}

test('a customer’s new name, and none at all, reach its sites', async () => {
  const { id } = await makeSite(writer, { customer_id: 'cus_ada' })
  await rename(`name = 'Ada & Sons'`)
  expect((await siteOf(reader, id)).customer_name).toBe('Ada & Sons')
  expect(await idsOf('?search=sons')).toContain(id)
  await rename('name = null, email = null')
  expect((await siteOf(reader, id)).customer_name).toBeNull()
  expect(await idsOf('?search=sons')).toEqual([])
})

test('exports what the filters match, with formulas made harmless', async () => {
  const { id } = await makeSite(writer, { site_name: '=cmd|calc', domain: 'formula.example' })
  const answer = await exportFile(t, { kind: 'sites', format: 'csv', parameters: { search: 'formula' } })
  expect(answer.headers['content-disposition']).toBe('attachment; filename="sites-2026-11-21.csv"')
  const [row, ...more] = parseCsv(answer.body.slice(1)).slice(1)
  expect(more).toEqual([])
  expect(row).toContain("'=cmd|calc")
  expect(row).toContain(id)
})

test('finds owners by name and email', async () => {
  const find = async (search: string) => (await writer.get(`/sites/owners?search=${search}`)).json()
  expect((await find('ltd')).owners).toEqual([{ id: 'cus_eve', name: 'Éve Ltd', email: 'eve@example.com' }])
  expect((await find('bob@')).owners).toMatchObject([{ id: 'cus_bob' }])
  expect((await find('')).owners).toHaveLength(3)
  expect((await writer.get('/sites/owners?limit=1')).json()).toMatchObject({ has_more: true })
})
