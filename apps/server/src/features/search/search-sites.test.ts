import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/context.ts'
import { insertDeployment, insertSite } from '../../../test/deployment-rows.ts'
import { createPerson } from '../../../test/people.ts'
import { request } from '../../../test/request.ts'
import { insertRows } from '../../../test/rows.ts'
import type { CloudflareGateway } from '../../integrations/cloudflare/gateway.ts'

type Hit = { kind: string; id: string; title: string; detail: string | null; path: string }
type Found = { exact: boolean; hits: Hit[] }

let t: TestContext
const site = (letter: string) => `site_${letter.repeat(16)}`
const zone = (letter: string) => letter.repeat(32)
const day = (n: number) => `2026-11-${String(n).padStart(2, '0')}T10:00:00Z`

beforeAll(async () => {
  t = await createTestContext({
    now: '2026-11-21T12:00:00Z',
    cloudflare: { connection: 'ours' } as CloudflareGateway,
  })
  const { pool } = t.ctx
  await insertRows(pool, 'customers', [{ id: 'cus_1', name: 'Hilda Harper' }])
  for (const [letter, name, customer] of [
    ['a', 'Old Harbor Books', null],
    ['b', 'Harbor Dental', 'cus_1'],
    ['c', 'Sharbord', null],
    ['d', 'Gone Harbor', null],
    ['e', "O'Harbor (Café) [1.*]", null],
  ] as const)
    await insertSite(pool, { id: site(letter), name, customer })
  await pool.query(`update sites set status = 'deleted', deleted_at = now() where id = $1`, [site('d')])
  await pool.query(`update sites set domain = 'harbor-dental.example', health_status = 'down' where id = $1`, [
    site('b'),
  ])
  for (const [id, connection, name] of [
    [zone('1'), 'ours', 'my-harbor.example'],
    [zone('2'), 'ours', 'harbor.example'],
    [zone('3'), 'theirs', 'harbor-of-others.example'],
  ])
    await pool.query(
      `insert into domains (id, connection, name, status, paused, name_servers, original_name_servers, plan)
       values ($1, $2, $3, 'active', false, '{}', '{}', '{"name":"Pro Website"}')`,
      [id, connection, name],
    )
  await insertDeployment(pool, { id: 'dep_1', site: site('b'), at: day(1) })
  await insertDeployment(pool, { id: 'dep_2', site: site('b'), at: day(2), status: 'failed' })
  await insertDeployment(pool, { id: 'dep_3', site: site('a'), at: day(3) })
  await pool.query(`update deployments set commit_message = 'Mend the opening hours' where id = 'dep_3'`)
  for (const name of ['Kaharbo Quill', 'Jon Harbor', 'Harbor Lee']) {
    const { id } = await createPerson(t)
    await t.ctx.db
      .updateTable('users')
      .set({ name, email: `${id}@agency.example` })
      .where('id', '=', id)
      .execute()
  }
})
afterAll(() => t.close())

async function find(term: string, who: Parameters<ReturnType<typeof request>['as']>[0] = 'super_admin') {
  const response = await request(t.ctx)
    .as(who)
    .get(`/search?q=${encodeURIComponent(term)}`)
  expect(response.statusCode).toBe(200)
  return response.json() as Found
}
const titles = ({ hits }: Found, kind: string) => hits.filter((hit) => hit.kind === kind).map(({ title }) => title)

test('of each kind a name that begins with the term comes first, then a word that does, then what holds it', async () => {
  const found = await find('harbor')
  expect(titles(found, 'site')).toEqual(['Harbor Dental', "O'Harbor (Café) [1.*]", 'Old Harbor Books', 'Sharbord'])
  expect(titles(found, 'domain')).toEqual(['harbor.example', 'my-harbor.example'])
  expect(titles(await find('harbo'), 'user')).toEqual(['Harbor Lee', 'Jon Harbor', 'Kaharbo Quill'])
})

test('customers with a word that begins so come before newer ones that only hold it', async () => {
  await insertRows(t.ctx.pool, 'customers', [
    { id: 'cus_2', name: 'The Quayside', created_at: day(1) },
    { id: 'cus_3', name: 'Marquay', created_at: day(9) },
    { id: 'cus_4', name: 'Quayle', created_at: day(1) },
  ])
  expect(titles(await find('quay'), 'customer')).toEqual(['Quayle', 'The Quayside', 'Marquay'])
})

test('tells of each what it is and where it is shown', async () => {
  const { hits } = await find('harbor dental')
  expect(hits).toEqual([
    {
      ...{ kind: 'site', id: site('b'), title: 'Harbor Dental', detail: 'harbor-dental.example · Hilda Harper' },
      ...{ path: `/admin/sites?open=${site('b')}`, status: 'active', health: 'down' },
    },
    {
      ...{ kind: 'deployment', id: 'dep_2', title: 'Harbor Dental', detail: 'abc1234', status: 'failed' },
      ...{ path: '/admin/deployments?open=dep_2', created_at: '2026-11-02T10:00:00Z' },
    },
    {
      ...{ kind: 'deployment', id: 'dep_1', title: 'Harbor Dental', detail: 'abc1234', status: 'success' },
      ...{ path: '/admin/deployments?open=dep_1', created_at: '2026-11-01T10:00:00Z' },
    },
  ])
  expect((await find('my-harbor')).hits).toEqual([
    {
      ...{ kind: 'domain', id: zone('1'), title: 'my-harbor.example', detail: 'Pro Website', status: 'active' },
      ...{ paused: false, path: `/admin/domains?open=${zone('1')}` },
    },
  ])
})

test.each([
  ['an address', 'harbor-dental.ex', site('b')],
  ['its customer', 'hilda', site('b')],
  ['what is special in patterns', '[1.*]', site('e')],
  ['a commit', 'opening hours', 'dep_3'],
])('finds by %s', async (_what, term, id) => {
  expect((await find(term)).hits.map((hit) => hit.id)).toContain(id)
})

test.each([[site('b')], ['dep_2']])('the id %s names its object', async (id) => {
  const found = await find(id)
  expect([found.exact, found.hits[0]?.id]).toEqual([true, id])
})

test('a deleted site and the zones of another account are not found', async () => {
  expect((await find('gone harbor')).hits).toEqual([])
  expect((await find(site('d'))).hits).toEqual([])
  expect((await find('of-others')).hits).toEqual([])
})

test('sites, domains and deployments are only for whoever may see sites', async () => {
  const kinds = async (who: Parameters<typeof find>[1]) => [
    ...new Set((await find('harbor', who)).hits.map((h) => h.kind)),
  ]
  expect(await kinds(['sites.read'])).toEqual(['site', 'domain', 'deployment'])
  expect(await kinds(['customers.read', 'billing.read', 'analytics.read'])).toEqual([])
  expect(await find(site('b'), ['customers.read'])).toEqual({ exact: false, hits: [] })
})

test('without Cloudflare there are no domains', async () => {
  const alone = await createTestContext({ database: t.database })
  const response = await request(alone.ctx).as('super_admin').get('/search?q=harbor')
  const kinds = new Set((response.json() as Found).hits.map(({ kind }) => kind))
  expect([...kinds]).toEqual(['site', 'deployment', 'user'])
  await alone.close()
})
