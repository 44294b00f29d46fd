import { gunzipSync } from 'node:zlib'
import { endpoint } from '@agency/contract/endpoint'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { createTestContext, type TestContext } from '../../../test/context.ts'
import { eventually } from '../../../test/eventually.ts'
import { buildApp } from '../../app.ts'
import type { Actor } from '../../context.ts'
import { createCaches } from '../caches.ts'
import { AppError } from '../errors.ts'
import { type MountedRoute, rawJson } from './routes.ts'

const actor: Actor = {
  type: 'user',
  id: 'u',
  name: 'U',
  role: 'r',
  permissions: new Set(['billing.read']),
}

let one: TestContext
let two: TestContext
let first: FastifyInstance
let second: FastifyInstance
let reads = 0
let gate: Promise<void> | undefined

const list = endpoint({
  method: 'GET',
  path: '/things',
  permission: 'billing.read',
  summary: 'Things',
  query: z.strictObject({ limit: z.coerce.number().int().max(100).default(10) }),
  response: z.object({ plans: z.number(), padding: z.string() }),
  topics: ['plans'],
})
const failing = endpoint({ ...list, path: '/failing', query: undefined, topics: ['plans'] })
const mine = endpoint({ ...list, path: '/mine', permission: 'any', topics: ['plans'] })

const route = (config: ReturnType<typeof endpoint>, handler: MountedRoute['handler']): MountedRoute => ({
  name: config.path,
  endpoint: config,
  handler,
})
const countPlans: MountedRoute['handler'] = async ({ ctx }) => {
  reads++
  await gate
  const { rows } = await one.ctx.pool.query('select count(*) as plans from products')
  return rawJson(JSON.stringify({ plans: rows[0].plans, padding: 'x'.repeat(3000), for: ctx.actor.name }))
}

beforeAll(async () => {
  one = await createTestContext()
  two = await createTestContext({ database: one.database })
  const routes = [
    route(list, countPlans),
    route(mine, countPlans),
    route(failing, async () => {
      reads++
      throw new AppError('conflict', 'Not now')
    }),
  ]
  first = buildApp(one.ctx, { routes, authenticate: () => actor })
  second = buildApp(two.ctx, { routes, authenticate: async () => actor })
})

afterAll(async () => {
  await two?.close()
  await one?.close()
})

beforeEach(() => {
  reads = 0
  gate = undefined
})

const get = (app: FastifyInstance, url: string, headers: Record<string, string> = {}) =>
  app.inject({ method: 'GET', url: `/api${url}`, headers })

const addPlan = (id: string) =>
  one.ctx.db
    .insertInto('products')
    .values({
      id,
      name: id,
      active: true,
      created_at: new Date(),
      raw: '{}',
      fetch_seq: 1,
      fetched_at: new Date(),
      source: 'test',
    })
    .execute()

test('an answer is read once until what it was read from changes, in whatever process', async () => {
  for (const app of [first, second]) {
    for (let call = 0; call < 3; call++) expect((await get(app, '/things?limit=1')).json().plans).toBe(0)
  }
  expect(reads).toBe(2)
  await addPlan('prod_1')
  for (const app of [first, second]) {
    await eventually(async () => expect((await get(app, '/things?limit=1')).json().plans).toBe(1))
  }
  expect(one.ctx.instance(createCaches).countsOf('answers').hits).toBeGreaterThan(0)
})

test('an unchanged answer is told by its mark instead of being sent again', async () => {
  const full = await get(first, '/things?limit=2')
  const etag = String(full.headers['etag'])
  expect(full.headers['cache-control']).toBe('private, no-cache')
  const same = await get(first, '/things?limit=2', { 'if-none-match': etag })
  expect([same.statusCode, same.body]).toEqual([304, ''])
  for (const { headers } of [full, same, await get(first, '/things?limit=2')]) {
    expect(headers).toMatchObject({ etag, vary: 'accept-encoding', 'x-content-type-options': 'nosniff' })
    expect(headers['content-security-policy']).toContain("default-src 'none'")
    expect(headers['x-request-id']).toBeTruthy()
  }
  await addPlan('prod_2')
  await eventually(async () => {
    const changed = await get(first, '/things?limit=2', { 'if-none-match': etag })
    expect([changed.statusCode, changed.headers['etag'] === etag]).toEqual([200, false])
  })
})

test('an answer is packed for those who can unpack it, once it was asked for again', async () => {
  const accepts = { 'accept-encoding': 'gzip, br' }
  const plain = await get(first, '/things?limit=3')
  await eventually(async () => {
    const packed = await get(first, '/things?limit=3', accepts)
    expect(packed.headers['content-encoding']).toBe('gzip')
    expect(packed.rawPayload.length).toBeLessThan(plain.rawPayload.length / 10)
    expect(gunzipSync(packed.rawPayload).toString()).toBe(plain.body)
    expect(packed.headers['etag']).toBe(plain.headers['etag'])
  })
})

test('many who ask at the same moment cost one read', async () => {
  let open = () => {}
  gate = new Promise((resolve) => {
    open = resolve
  })
  const answers = Array.from({ length: 20 }, () => get(first, '/things?limit=4'))
  await eventually(() => expect(reads).toBe(1))
  open()
  expect((await Promise.all(answers)).map((answer) => answer.statusCode)).toEqual(Array(20).fill(200))
  expect(reads).toBe(1)
})

test('a change while an answer is read makes that answer stale at once', async () => {
  let open = () => {}
  gate = new Promise((resolve) => {
    open = resolve
  })
  const slow = get(first, '/things?limit=5')
  await eventually(() => expect(reads).toBe(1))
  one.ctx.changes.tell('plans')
  open()
  await slow
  gate = undefined
  await get(first, '/things?limit=5')
  expect(reads).toBe(2)
})

test('a failure is not kept', async () => {
  for (let call = 0; call < 2; call++) {
    const response = await get(first, '/failing')
    expect([response.statusCode, response.json().code]).toEqual([409, 'conflict'])
  }
  expect(reads).toBe(2)
})

test('an answer that may depend on who asks is never shared', async () => {
  for (let call = 0; call < 2; call++) expect((await get(first, '/mine')).headers['cache-control']).toBe('no-store')
  expect(reads).toBe(2)
})

test.each([
  ['/things?limit=101', 'limit'],
  ['/things?limit=x', 'limit'],
  ['/things?limit=1&limit=2', 'limit'],
  ['/things?page=2', 'page'],
])('%s is refused by the name of the parameter', async (url, parameter) => {
  const response = await get(first, url)
  expect(response.statusCode).toBe(400)
  expect(response.json()).toMatchObject({ code: 'invalid_request', parameter })
})
