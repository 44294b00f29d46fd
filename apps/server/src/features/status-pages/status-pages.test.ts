import { randomUUID } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/context.ts'
import { addLooks, every } from '../../../test/monitoring-rows.ts'
import { type Caller, request } from '../../../test/request.ts'
import { insertRows } from '../../../test/rows.ts'
import { makeSite, put } from '../../../test/sites.ts'
import { writeStatusPages } from './write-pages.ts'

const minute = 60_000
const now = Date.parse('2026-11-21T12:00:00Z')
let t: TestContext
let root: Caller
let anyone: Caller
let dataDir: string

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'status-'))
  t = await createTestContext({ env: { DATA_DIR: dataDir }, now: new Date(now).toISOString() })
  root = request(t.ctx).as('super_admin')
  anyone = request(t.ctx).anonymous('203.0.113.7')
})
beforeEach(async () => {
  await t.ctx.pool.query('delete from status_pages')
  t.clock.advance(minute)
})
afterAll(async () => {
  await t?.close()
  await rm(dataDir, { recursive: true, force: true })
})

const load = (path: string) => anyone.inject({ method: 'GET', url: path })
const write = () => writeStatusPages(t.ctx)

async function customerWithSite(name: string) {
  const customer = `cus_${randomUUID()}`
  await insertRows(t.ctx.pool, 'customers', [{ id: customer, name, email: 'ada@example.com' }])
  const site = await makeSite(root, { site_name: `Secret ${name}` })
  await t.ctx.pool.query('update sites set customer_id = $2 where id = $1', [site.id, customer])
  return { customer, site }
}

const save = (id: string, body: object) =>
  put(root, `/status-pages/${id}`, { version: 0, is_on: true, title: 'Our status', sites: [], ...body })

describe('the page of the agency', () => {
  test('is off until it is switched on, and gone once it is off again', async () => {
    await write()
    expect((await load('/status')).statusCode).toBe(404)
    const saved = (await save('agency', {})).json().page
    await write()
    const answer = await load('/status')
    expect(answer.statusCode).toBe(200)
    expect(answer.body).toContain('<h1>Our status</h1>')
    await save('agency', { version: saved.version, is_on: false })
    await write()
    expect((await load('/status')).statusCode).toBe(404)
  })

  test('runs no script, loads nothing, and may be kept for a moment', async () => {
    const { site } = await customerWithSite('Quarry')
    await save('agency', { title: '<b>"Ours"</b>', sites: [{ site_id: site.id, label: '<script>alert(1)</script>' }] })
    await write()
    const answer = await load('/status')
    expect(answer.headers['content-security-policy']).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/=]+'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
    )
    expect(answer.headers['cache-control']).toBe('public, max-age=30, stale-if-error=86400')
    expect(answer.body).not.toMatch(/<script|<b>|style="|<link|<img|src=/)
    expect(answer.body).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
    const again = await anyone.inject({
      ...{ method: 'GET', url: '/status' },
      headers: { 'if-none-match': String(answer.headers['etag']) },
    })
    expect(again.statusCode).toBe(304)
  })

  test('is served while the database is down', async () => {
    await save('agency', {})
    await write()
    const broken = t.ctx.pool.query
    t.ctx.pool.query = (() => Promise.reject(new Error('gone'))) as unknown as typeof broken
    try {
      expect((await load('/status')).statusCode).toBe(200)
    } finally {
      t.ctx.pool.query = broken
    }
  })

  test('is refused to whoever asks too often', async () => {
    await save('agency', {})
    await write()
    const flood = request(t.ctx).anonymous('203.0.113.99')
    const answers = await Promise.all(
      Array.from({ length: 121 }, () => flood.inject({ method: 'GET', url: '/status' })),
    )
    const refused = answers.filter(({ statusCode }) => statusCode === 429)
    expect(refused.map(({ body, headers }) => [body.includes('Too many tries'), headers['retry-after']])).toEqual([
      [true, '60'],
    ])
    expect((await load('/status')).statusCode).toBe(200)
  })
})

describe('the page of a customer', () => {
  test('shows their own sites by label or domain, and no name of anybody', async () => {
    const { customer, site } = await customerWithSite('Harbour Bakery')
    const { site: foreign } = await customerWithSite('Orchard Farm')
    const second = await makeSite(root, { site_name: 'Secret two' })
    await t.ctx.pool.query('update sites set customer_id = $2 where id = $1', [second.id, customer])
    const sites = [{ site_id: site.id, label: 'Shop' }, { site_id: second.id }]
    const taken = await save(customer, { slug: 'harbour', sites: [...sites, { site_id: foreign.id }] })
    expect([taken.statusCode, taken.json().detail]).toEqual([
      400,
      'sites names a site that does not belong to this page',
    ])
    expect((await save(customer, { slug: 'harbour', sites })).statusCode).toBe(200)
    await write()
    const { body } = await load('/status/harbour')
    for (const shown of ['<h3>Shop</h3>', second.domain]) expect(body).toContain(shown)
    for (const hidden of ['Secret', 'Harbour Bakery', 'Orchard', site.domain, foreign.domain, customer, 'ada@'])
      expect(body).not.toContain(hidden)
    // It goes with its owner.
    await t.ctx.pool.query('update sites set customer_id = null where id = $1', [second.id])
    await write()
    expect((await load('/status/harbour')).body).not.toContain(second.domain)
  })

  test.each(['/status/nobody', '/status/_agency', '/status/..%2Fsecrets', '/status/a', '/status/Harbour.html'])(
    '%s is nowhere',
    async (path) => {
      await save('agency', {})
      await write()
      const answer = await load(path)
      expect([answer.statusCode, answer.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8'])
      expect(answer.body).toContain('<h1>Status page not found</h1>')
    },
  )

  test('says how the sites are, how they were, and what was said in public alone', async () => {
    const { customer, site } = await customerWithSite('Cove')
    const started = t.clock.now() - 60 * minute
    await addLooks(
      t,
      site.id,
      every(minute, started, t.clock.now()).map((look, index) => ({ ...look, health: index < 6 ? 'down' : 'healthy' })),
    )
    await t.ctx.pool.query(`update sites set health_status = 'down' where id = $1`, [site.id])
    await save(customer, { slug: 'cove', sites: [{ site_id: site.id, label: 'Website' }] })
    const { incident } = (await root.post('/incidents', { title: 'Secret of Cove is down', severity: 'sev3' })).json()
    const alert = randomUUID()
    await t.ctx.pool.query(
      `insert into alerts (id, rule, subject, subject_id, subject_name, severity, status, title, detail, opened_at,
         last_seen_at, incident_id)
       values ($1::text, 'site.down', 'site', $1::text, '', 'error', 'open', 'Down', '', $2, $2, $3)`,
      [alert, new Date(t.clock.now()), incident.id],
    )
    await t.ctx.pool.query(
      'insert into alert_sites (alert_id, site_id, opened_at) select id, $2, opened_at from alerts where id = $1',
      [alert, site.id],
    )
    await write()
    const before = (await load('/status/cove')).body
    expect(before).toContain('All sites are down')
    // 54 of 60 minutes.
    expect(before).toContain('90.00% uptime')
    expect(before).toContain('6 min down')
    expect(before).not.toContain('Active incidents')
    const headers = { 'idempotency-key': randomUUID() }
    for (let time = 0; time < 2; time++)
      await root.post(`/incidents/${incident.id}/public-updates`, { text: 'We are on it' }, headers)
    await write()
    const { body } = await load('/status/cove')
    expect(body.split('We are on it')).toHaveLength(2)
    expect(body).toContain('Problem with Website')
    expect(body).not.toContain('Secret')
    await root.patch(`/incidents/${incident.id}`, { version: 1, status: 'resolved' })
    await write()
    expect((await load('/status/cove')).body).not.toContain('We are on it')
  })

  test('one address is one page, and a change of an older version is refused', async () => {
    const one = await customerWithSite('One')
    const two = await customerWithSite('Two')
    expect((await save(one.customer, { slug: 'same' })).statusCode).toBe(200)
    const second = await save(two.customer, { slug: 'same' })
    expect(second.json().detail).toBe('slug is taken by another page')
    expect((await save(one.customer, { slug: 'same', is_on: false })).statusCode).toBe(409)
    expect((await save('cus_nobody', { slug: 'nobody' })).statusCode).toBe(404)
    expect((await save('agency', { slug: 'agency' })).statusCode).toBe(400)
    const { rows } = await t.ctx.pool.query(
      `select after from audit_entries where action = 'status_page.save' and resource_id = $1`,
      [one.customer],
    )
    expect(rows).toMatchObject([{ after: { name: 'One', slug: 'same', is_on: true, shown: [] } }])
  })
})

test('files are replaced whole, and no other is left', async () => {
  await save('agency', {})
  await Promise.all([write(), write(), write()])
  expect(await readdir(join(dataDir, 'status'))).toEqual(['_agency.html'])
})

test('only an administrator sets them up', async () => {
  const admin = request(t.ctx).as('admin')
  expect((await admin.get('/status-pages')).statusCode).toBe(403)
  expect(
    (await put(admin, '/status-pages/agency', { version: 0, is_on: true, title: 'x', sites: [] })).statusCode,
  ).toBe(403)
})
