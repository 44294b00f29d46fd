import { randomUUID } from 'node:crypto'
import type { CacheCleared, CacheOverview, CacheState } from '@agency/contract/caches'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/context.ts'
import { createPerson } from '../../../test/people.ts'
import { type Caller, request } from '../../../test/request.ts'
import { createCacheKeeper } from './keeper.ts'

let first: TestContext
let second: TestContext
let root: Caller
let elsewhere: Caller

beforeAll(async () => {
  first = await createTestContext()
  second = await createTestContext({ database: first.database, clock: first.clock })
  first.ctx.instance(createCacheKeeper).start('console')
  second.ctx.instance(createCacheKeeper).start('worker')
  root = request(first.ctx).as(['admin.system', 'billing.read'])
  elsewhere = request(second.ctx).as(['admin.system', 'billing.read'])
})
beforeEach(async () => {
  await root.post('/admin/caches/clear', {})
})
afterAll(async () => {
  await second?.ctx.instance(createCacheKeeper).stop()
  await second?.close()
  await first?.ctx.instance(createCacheKeeper).stop()
  await first?.close()
})

/** Three answers here and one there, each asked for twice. */
async function fill(): Promise<void> {
  for (const path of ['/stripe/stats', '/stripe/plans', '/stripe/payments?limit=1'])
    for (let time = 0; time < 2; time++) expect((await root.get(path)).statusCode).toBe(200)
  for (let time = 0; time < 2; time++) await elsewhere.get('/stripe/stats')
}

const refreshed = async (): Promise<CacheOverview> => (await root.post('/admin/caches/refresh', {})).json()
const keysOf = ({ caches }: CacheOverview, name: string): number[] =>
  caches.filter((cache) => cache.name === name).map(({ keys }) => keys)
const answersOf = ({ caches }: CacheOverview, role: string): CacheState | undefined =>
  caches.find(({ name, process }) => name === 'answers' && process?.role === role)

test('each process tells what its caches hold and count, and all of them together', async () => {
  const before = await refreshed()
  await fill()
  const after = await refreshed()
  expect(after.silent).toEqual([])
  expect(keysOf(after, 'answers').toSorted()).toEqual([1, 3])
  const [was, is] = [answersOf(before, 'console'), answersOf(after, 'console')]
  expect((is?.hits ?? 0) - (was?.hits ?? 0)).toBe(3)
  expect((is?.misses ?? 0) - (was?.misses ?? 0)).toBe(3)
  expect(is?.bytes).toBeGreaterThan(500)
  expect(is?.load_ms).toBeGreaterThan(0)
  expect(is?.process?.pid).toBe(process.pid)
  const { stats } = after
  expect(stats.total_keys).toBe(after.caches.reduce((sum, { keys }) => sum + keys, 0))
  expect((stats.hit_rate ?? 0) + (stats.miss_rate ?? 0)).toBeCloseTo(100, 1)
  // What is kept in the database is one for all.
  expect(after.caches.filter(({ process }) => process === null).map(({ name }) => name)).toEqual([
    'analytics',
    'domains',
  ])
  const counted = after.history.filter(({ name }) => name === 'answers').reduce((sum, { hits }) => sum + hits, 0)
  expect(counted).toBe(after.caches.filter(({ name }) => name === 'answers').reduce((sum, { hits }) => sum + hits, 0))
})

test('a pattern is counted first, then cleared in every process, and the others stay', async () => {
  await fill()
  const pattern = encodeURIComponent('/api/stripe/*s')
  const found = (await root.get(`/admin/caches/keys?name=answers&pattern=${pattern}`)).json()
  expect(found).toMatchObject({ keys: 3, silent: [] })
  expect(found.samples.toSorted()).toEqual(['/api/stripe/plans', '/api/stripe/stats'])
  expect(keysOf(await refreshed(), 'answers').toSorted()).toEqual([1, 3])
  const cleared: CacheCleared = (
    await root.post('/admin/caches/clear', { name: 'answers', pattern: '/api/stripe/*s' })
  ).json()
  expect(cleared).toMatchObject({ cleared: 3, silent: [] })
  expect(cleared.caches.map(({ keys, process }) => [process?.role, keys]).toSorted()).toEqual([
    ['console', 2],
    ['worker', 1],
  ])
  expect(cleared.caches.every(({ load_ms }) => load_ms !== null)).toBe(true)
  expect(keysOf(await refreshed(), 'answers').toSorted()).toEqual([0, 1])
  const { rows } = await first.ctx.pool.query(
    `select action, resource_id, after from audit_entries where action = 'cache.clear' order by id desc limit 1`,
  )
  expect(rows).toEqual([{ action: 'cache.clear', resource_id: 'answers', after: { pattern: '/api/stripe/*s' } }])
})

test('all caches are cleared at once, and a repeat under its key hears the same', async () => {
  await fill()
  const { key } = await createPerson(first, { role: 'super_admin' })
  const person = request(first.ctx).withKey(key)
  expect((await person.get('/stripe/stats')).statusCode).toBe(200)
  expect(keysOf(await refreshed(), 'sessions')).toContain(1)
  const headers = { 'idempotency-key': randomUUID() }
  const cleared = (await root.post('/admin/caches/clear', {}, headers)).json()
  expect(cleared.cleared).toBeGreaterThanOrEqual(5)
  expect((await root.post('/admin/caches/clear', {}, headers)).json()).toEqual(cleared)
  const after = await refreshed()
  expect([...keysOf(after, 'answers'), ...keysOf(after, 'sessions')].every((keys) => keys === 0)).toBe(true)
  // Whoever was signed in still is: the key is only looked up again.
  expect((await person.get('/stripe/stats')).statusCode).toBe(200)
})

test('sessions are found by who holds them, never by their key', async () => {
  const { key, name } = await createPerson(first, { role: 'super_admin' })
  await request(first.ctx).withKey(key).get('/stripe/stats')
  const found = (
    await root.get(`/admin/caches/keys?name=sessions&pattern=${encodeURIComponent(`user ${name}`)}`)
  ).json()
  expect(found).toMatchObject({ keys: 1, samples: [`user ${name}`] })
})

test('what is kept of the analytics is cleared by domain, and read again when it is asked for', async () => {
  await first.ctx.pool.query(`insert into domain_analytics_reads (zone_id, name, answer, fetched_at)
    values ('z1', 'hours', '[]', now()), ('z2', 'hours', '[]', now())`)
  expect(keysOf(await refreshed(), 'analytics')).toEqual([2])
  const cleared = (await root.post('/admin/caches/clear', { name: 'analytics', pattern: 'z1 *' })).json()
  expect(cleared).toMatchObject({ cleared: 1, caches: [{ name: 'analytics', process: null, keys: 1 }] })
  expect(keysOf(await refreshed(), 'analytics')).toEqual([1])
})

test('a process that does not answer is named, and the others are cleared', async () => {
  await fill()
  await first.ctx.pool.query(
    `insert into cache_processes (id, role, host, pid, started_at, seen_at) values ('gone', 'worker', 'elsewhere', 7, $1, $1)`,
    [new Date(first.clock.now())],
  )
  try {
    const cleared = (await root.post('/admin/caches/clear', { name: 'answers' })).json()
    expect(cleared).toMatchObject({ cleared: 4, silent: [{ host: 'elsewhere', pid: 7 }] })
  } finally {
    await first.ctx.pool.query(`delete from cache_processes where id = 'gone'`)
  }
})

test.each([
  ['pattern', '/admin/caches/keys?pattern='],
  ['name', '/admin/caches/keys?name=others'],
])('refuses a %s that is none', async (parameter, path) => {
  const answer = await root.get(path)
  expect([answer.statusCode, answer.json().parameter]).toEqual([400, parameter])
})

test.each(['admin', 'support', 'readonly'] as const)('a %s neither sees nor clears them', async (role) => {
  const other = request(first.ctx).as(role)
  expect((await other.get('/admin/caches')).statusCode).toBe(403)
  expect((await other.get('/admin/caches/keys')).statusCode).toBe(403)
  expect((await other.post('/admin/caches/clear', {})).statusCode).toBe(403)
})
