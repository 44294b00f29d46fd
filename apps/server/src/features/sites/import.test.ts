import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestContext, runJob, type TestContext } from '../../../test/context.ts'
import { type Caller, request } from '../../../test/request.ts'
import { insertRows } from '../../../test/rows.ts'
import { countEntries, makeSite } from '../../../test/sites.ts'

let t: TestContext
let root: Caller

beforeAll(async () => {
  t = await createTestContext({ now: '2026-11-21T12:00:00Z' })
  await insertRows(t.ctx.pool, 'customers', [{ id: 'cus_ada', name: 'Ada Bakery' }])
  root = request(t.ctx).as(['sites.read', 'sites.write'])
})
afterAll(() => t.close())

const preview = (sites: unknown) => root.post('/sites/import/preview', { sites })
const bring = (sites: unknown, key: string = crypto.randomUUID()) =>
  root.post('/sites/import', { sites }, { 'idempotency-key': key })
const countSites = async () => (await root.get('/sites')).json().summary.total

const old = {
  ...{ id: '17', site_name: 'Old Bakery', domain: 'old.example', customer_id: 'cus_ada', customer_name: 'Ada' },
  ...{ status: 'active', health_status: 'healthy', ssl_status: 'active', performance_score: 99, storage_used: 12 },
  ...{ created_at: '2025-01-02T03:04:05Z', deployment_url: 'https://old.example/', template_type: 'shop' },
}

const junk: [what: string, row: unknown, reason: string][] = [
  ['null', null, 'Not a site'],
  ['a number', 7, 'Not a site'],
  ['a list', [old], 'Not a site'],
  ['no domain', { site_name: 'A' }, 'No domain'],
  ['a domain that is an object', { site_name: 'A', domain: {} }, 'No domain'],
  ['a script', { site_name: 'A', domain: 'javascript:alert(1)' }, 'javascript:alert(1) is not a domain'],
  ['this machine', { site_name: 'A', domain: 'http://127.0.0.1/x' }, 'http://127.0.0.1/x is not a domain'],
  ['a deleted one', { site_name: 'A', domain: 'gone.example', status: 'Deleted' }, 'Deleted'],
  ['a live domain', { site_name: 'A', domain: 'LIVE.example' }, 'Another site has this domain'],
  ['a repeat', { site_name: 'B', domain: 'OLD.example.' }, 'Duplicate domain in the list'],
]

test('says of every row what becomes of it, and then does just that', async () => {
  await makeSite(root, { domain: 'live.example' })
  const list = [old, ...junk.map(([, row]) => row)]
  const before = [await countSites(), await countEntries(t)]
  const told = (await preview(list)).json()
  expect(told).toMatchObject({ created: 1, skipped: junk.length })
  expect(told.rows.slice(1).map(({ reason }: { reason: string }) => reason)).toEqual(junk.map(([, , reason]) => reason))
  expect([await countSites(), await countEntries(t)]).toEqual(before)
  const key = 'import-of-one-browser'
  const done = (await bring(list, key)).json()
  expect(done).toEqual(told)
  expect((await bring(list, key)).json()).toEqual(done)
  expect((await bring([], key)).statusCode).toBe(409)
  expect(await countSites()).toBe((before[0] ?? 0) + 1)
  const [site] = (await root.get('/sites?search=old.example')).json().sites
  expect(site).toMatchObject({
    ...{ site_name: 'Old Bakery', customer_id: 'cus_ada', customer_name: 'Ada Bakery', status: 'active' },
    ...{ created_at: '2025-01-02T03:04:05Z', template_type: 'shop', deployment_url: 'https://old.example' },
    ...{ health_status: 'unknown', ssl_status: 'pending', performance_score: null, storage_used: null },
  })
  const { rows } = await t.ctx.pool.query(`select after from audit_entries where action = 'sites.import'`)
  expect(rows).toEqual([
    {
      after: {
        created: 1,
        skipped: junk.length,
        sites: [{ id: site.id, site_name: 'Old Bakery', domain: 'old.example' }],
      },
    },
  ])
})

test('takes over what can be, and says what it changed', async () => {
  const rows = [
    {
      site_name: 'x'.repeat(200),
      domain: 'https://From-Address.example/path',
      status: 'BROKEN',
      deployment_url: 'javascript:1',
    },
    { domain: 'nameless.example', customer_id: 'cus_unknown', created_at: 'yesterday' },
    { site_name: '<img src=x onerror=alert(1)>\u0007\n', domain: 'hostile.example', status: 'suspended' },
    { site_name: 'Inside', domain: 'inside.example', deployment_url: 'http://169.254.169.254/latest' },
    { site_name: 'Maintained', domain: 'maintained.example', status: 'maintenance', created_at: '2999-01-01' },
  ]
  const answer = await bring(rows)
  expect(answer.json()).toMatchObject({ created: 5 })
  const { created, rows: told } = answer.json()
  expect(created).toBe(5)
  expect(told.map(({ notes }: { notes: string[] }) => notes.length)).toEqual([4, 2, 0, 1, 0])
  const find = async (domain: string) => (await root.get(`/sites?search=${domain}`)).json().sites[0]
  expect(await find('from-address.example')).toMatchObject({
    ...{ site_name: 'x'.repeat(120), status: 'pending', deployment_url: 'https://from-address.example' },
  })
  expect(await find('nameless.example')).toMatchObject({
    ...{ site_name: 'nameless.example', customer_id: null, created_at: '2026-11-21T12:00:00Z' },
  })
  expect(await find('hostile.example')).toMatchObject({
    ...{ site_name: '<img src=x onerror=alert(1)>', status: 'suspended', at_provider: 'still_served' },
  })
  expect(await find('inside.example')).toMatchObject({ deployment_url: 'https://inside.example' })
  expect(await find('maintained.example')).toMatchObject({ status: 'maintenance' })
})

test('2,000 at once are taken, 2,001 are refused', async () => {
  const many = Array.from({ length: 2001 }, (_, n) => ({ site_name: `Many ${n}`, domain: `many-${n}.example` }))
  expect((await preview(many)).statusCode).toBe(400)
  const before = await countSites()
  expect((await bring(many.slice(0, 2000))).json()).toMatchObject({ created: 2000, skipped: 0 })
  expect(await countSites()).toBe(before + 2000)
  expect((await bring(many.slice(0, 2000))).json()).toMatchObject({ created: 0, skipped: 2000 })
})

test('needs sites.write and a list', async () => {
  const reader = request(t.ctx).as(['sites.read'])
  expect((await reader.post('/sites/import', { sites: [] })).statusCode).toBe(403)
  expect((await reader.post('/sites/import/preview', { sites: [] })).statusCode).toBe(403)
  expect((await preview('no list')).statusCode).toBe(400)
})

const demo = {
  ...{ label: 'one', name: '=Demo', domain: 'demo-one.example', customer_id: 'cus_ada', template_type: 'shop' },
  ...{ deployment_url: 'http://one.localhost:1234' },
}
const demoSites = {
  sites: [
    { ...demo, provider: 'pages', project: 'one', hook: null },
    {
      ...{ ...demo, label: 'two', domain: 'demo-two.example', provider: 'hook', project: null },
      hook: { url: 'http://hooks.localhost:1234/hooks/secret-part', secret: 'a-secret-of-the-hook' },
    },
  ],
}

test('a demo is filled once, and emptied when a real account is connected', async () => {
  const empty = await createTestContext({ now: '2026-11-21T12:00:00Z' })
  try {
    const caller = request(empty.ctx).as(['sites.read', 'sites.write'])
    const sitesOf = async () => {
      empty.ctx.changes.tell('sites')
      return (await caller.get('/sites?sort=site_name')).json().sites as { id: string; domain: string }[]
    }
    await runJob(empty.ctx, 'sites.sweep')
    expect(await sitesOf()).toEqual([])
    empty.ctx.replace({ demoSites: async () => demoSites })
    await runJob(empty.ctx, 'sites.sweep')
    const filled = await sitesOf()
    expect(filled.map(({ domain }) => domain).toSorted()).toEqual(['demo-one.example', 'demo-two.example'])
    expect(filled[0]).toMatchObject({
      status: 'active',
      site_name: '=Demo',
      deployment_url: 'http://one.localhost:1234',
    })
    await caller.delete(`/sites/${filled[0]?.id}`)
    await runJob(empty.ctx, 'sites.sweep')
    expect(await sitesOf()).toHaveLength(1)
    const { rows } = await empty.ctx.pool.query(`select actor_type, action, after::text from audit_entries order by id`)
    expect(rows.slice(0, 2)).toMatchObject(Array(2).fill({ actor_type: 'job', action: 'site.create' }))
    expect(JSON.stringify(rows)).not.toContain('secret-part')
    empty.ctx.replace({ config: { ...empty.ctx.config, mode: 'live' }, demoSites: null })
    await runJob(empty.ctx, 'sites.sweep')
    expect(await sitesOf()).toEqual([])
    empty.ctx.replace({ config: { ...empty.ctx.config, mode: 'demo' }, demoSites: async () => demoSites })
    await runJob(empty.ctx, 'sites.sweep')
    expect(await sitesOf()).toHaveLength(2)
  } finally {
    await empty.close()
  }
})

test('a console with sites of its own gets none of a demo’s', async () => {
  const before = await countSites()
  t.ctx.replace({ demoSites: async () => demoSites })
  await runJob(t.ctx, 'sites.sweep')
  t.ctx.changes.tell('sites')
  expect(await countSites()).toBe(before)
})
