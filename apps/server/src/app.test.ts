import { readFileSync } from 'node:fs'
import * as contract from '@agency/contract'
import type { EndpointConfig } from '@agency/contract/endpoint'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../test/context.ts'
import { request } from '../test/request.ts'
import { buildApp } from './app.ts'
import { createStartState } from './features/health/index.ts'
import { routes } from './features/index.ts'
import { isEndpoint } from './platform/http/routes.ts'

/** The calls of the contract that need no key, by name. Everything else does. */
const publicCalls = ['login', 'loginWithEmail', 'inspectLink', 'acceptLink', 'downloadExport']

let one: TestContext

beforeAll(async () => {
  one = await createTestContext()
})

afterAll(async () => {
  await one?.close()
})

const inContract = Object.values(contract).flatMap((domain) =>
  Object.entries(domain as Record<string, unknown>).flatMap(([name, value]) =>
    isEndpoint(value) ? [{ name, endpoint: value as EndpointConfig }] : [],
  ),
)

function callOf({ method, path }: EndpointConfig) {
  return { method, url: `/api${path.replace(/:\w+/g, 'x')}`, headers: { 'content-type': 'application/json' } }
}

describe('every call of the API', () => {
  test('is mounted', () => {
    expect(routes.map((route) => route.name).sort()).toEqual(inContract.map(({ name }) => name).sort())
  })

  test('that needs no key is one of those named here', () => {
    const open = inContract.filter(({ endpoint }) => endpoint.permission === 'public').map(({ name }) => name)
    expect(open).toEqual(publicCalls)
  })

  test.each(inContract.filter(({ name }) => !publicCalls.includes(name)))(
    '$name refuses to answer without a key',
    async ({ endpoint }) => {
      const response = await request(one.ctx).anonymous().inject(callOf(endpoint))
      expect(response.statusCode).toBe(401)
      expect(response.headers['content-type']).toBe('application/problem+json; charset=utf-8')
      expect(response.json()).toMatchObject({ code: 'unauthenticated', detail: 'Admin key not set' })
    },
  )

  const guarded = inContract.filter(({ endpoint }) => !['any', 'signing_in', 'public'].includes(endpoint.permission))

  test.each(guarded)('$name refuses without its permission and writes the denial down', async ({ endpoint }) => {
    const response = await request(one.ctx).as([]).inject(callOf(endpoint))
    expect(response.statusCode).toBe(403)
    expect(response.json()).toMatchObject({ code: 'forbidden', permission: endpoint.permission })
    const entries = await one.ctx.db
      .selectFrom('audit_entries')
      .select(['action', 'outcome', 'actor_name', 'resource_id', 'after'])
      .where('request_id', '=', String(response.headers['x-request-id']))
      .execute()
    expect(entries).toEqual([
      {
        action: 'access.denied',
        outcome: 'denied',
        actor_name: 'Test custom',
        resource_id: `${endpoint.method} ${endpoint.path}`,
        after: { permission: endpoint.permission },
      },
    ])
  })

  test('that declares no permission stops the application from being built', () => {
    const [route] = routes
    const careless = { ...route!, endpoint: { ...route!.endpoint, permission: undefined as never } }
    expect(() => buildApp(one.ctx, { routes: [careless] })).toThrow(`${route!.name} declares no permission`)
  })
})

describe('an address that leads nowhere', () => {
  test.each([
    ['GET', '/api/nothing'],
    ['GET', '/api'],
    ['GET', '/api/'],
    ['POST', '/api/nothing'],
    ['DELETE', '/api/auth/session'],
    ['POST', '/admin'],
  ] as const)('%s %s is a problem', async (method, url) => {
    const response = await request(one.ctx).anonymous().inject({ method, url })
    expect(response.statusCode).toBe(404)
    expect(response.json()).toMatchObject({ status: 404, code: 'not_found' })
  })

  test('an address that cannot be read is a bad request', async () => {
    const response = await request(one.ctx).anonymous().inject({ method: 'GET', url: '/api/stripe/payments/%E0%A4%A' })
    expect(response.statusCode).toBe(400)
    expect(response.json()).toMatchObject({ code: 'invalid_request' })
    expect(response.headers['x-content-type-options']).toBe('nosniff')
  })
})

describe('a body', () => {
  const login = (payload: string, type = 'application/json') =>
    request(one.ctx)
      .anonymous()
      .inject({ method: 'POST', url: '/api/auth/login', payload, headers: { 'content-type': type } })

  test.each([
    ['that is no JSON', '{"key":', 'application/json', 400, 'invalid_request'],
    ['that would change prototypes', '{"__proto__":{"key":"a"},"key":"b"}', 'application/json', 400, 'invalid_request'],
    ['of another kind', 'key=a', 'application/x-www-form-urlencoded', 400, 'invalid_request'],
    ['that is too large', JSON.stringify({ key: 'x'.repeat(1_100_000) }), 'application/json', 413, 'payload_too_large'],
  ])('%s is refused', async (_name, payload, type, status, code) => {
    const response = await login(payload, type)
    expect(response.statusCode).toBe(status)
    expect(response.json()).toMatchObject({ status, code, requestId: response.headers['x-request-id'] })
  })
})

describe('answers', () => {
  test('of the API carry the same strict headers, good or bad', async () => {
    const good = await request(one.ctx).as('super_admin').get('/auth/session')
    const bad = await request(one.ctx).anonymous().get('/auth/session')
    const names = ['content-security-policy', 'x-content-type-options', 'referrer-policy', 'cross-origin-opener-policy']
    const more = ['cross-origin-resource-policy', 'permissions-policy', 'cache-control', 'strict-transport-security']
    const pick = (headers: Record<string, unknown>) =>
      Object.fromEntries([...names, ...more].map((name) => [name, headers[name]]))
    expect(pick(good.headers)).toEqual(pick(bad.headers))
    expect(pick(good.headers)).toMatchInlineSnapshot(`
      {
        "cache-control": "no-store",
        "content-security-policy": "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        "cross-origin-opener-policy": "same-origin",
        "cross-origin-resource-policy": "same-origin",
        "permissions-policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=(), browsing-topics=()",
        "referrer-policy": "no-referrer",
        "strict-transport-security": undefined,
        "x-content-type-options": "nosniff",
      }
    `)
  })

  test('ask for https only once the console is reached that way', async () => {
    const secure = await createTestContext({ env: { PUBLIC_URL: 'https://console.example.com' } })
    try {
      const response = await request(secure.ctx).anonymous().get('/auth/session')
      expect(response.headers['strict-transport-security']).toBe('max-age=31536000; includeSubDomains')
    } finally {
      await secure.close()
    }
  })

  test('have an id that no other has', async () => {
    const ids = await Promise.all(
      Array.from({ length: 5 }, async () => (await request(one.ctx).anonymous().get('/x')).headers['x-request-id']),
    )
    expect(new Set(ids).size).toBe(5)
  })
})

describe('/openapi.json', () => {
  test('needs a key and describes every call', async () => {
    expect((await request(one.ctx).anonymous().get('/openapi.json')).statusCode).toBe(401)
    const response = await request(one.ctx).as('readonly').get('/openapi.json')
    expect(response.statusCode).toBe(200)
    const { openapi, paths } = response.json()
    expect(openapi).toBe('3.1.0')
    const described = Object.values(paths as Record<string, Record<string, { operationId: string }>>)
      .flatMap((calls) => Object.values(calls))
      .map(({ operationId }) => operationId)
    expect(described.sort()).toEqual(inContract.map(({ name }) => name).sort())
  })

  test('is what docs/openapi.json says', async () => {
    const served = (await request(one.ctx).as('readonly').get('/openapi.json')).json()
    expect(served).toEqual(JSON.parse(readFileSync(new URL('../../../docs/openapi.json', import.meta.url), 'utf8')))
  })
})

describe('the probes', () => {
  test('say that it lives and that it can serve, to anybody, and nothing else', async () => {
    const live = await request(one.ctx).anonymous().inject({ method: 'GET', url: '/healthz' })
    expect([live.statusCode, live.json()]).toEqual([200, { status: 'live' }])
    const ready = await request(one.ctx).anonymous().inject({ method: 'GET', url: '/readyz' })
    expect([ready.statusCode, ready.json()]).toEqual([200, { status: 'ready' }])
  })

  test('say when the database is gone; the API says so too', async () => {
    const cut = await createTestContext()
    const app = buildApp(cut.ctx)
    await cut.ctx.pool.query('select 1')
    await cut.database.drop()
    try {
      const live = await app.inject({ method: 'GET', url: '/healthz' })
      const ready = await app.inject({ method: 'GET', url: '/readyz' })
      expect([live.statusCode, ready.statusCode, ready.json()]).toEqual([200, 503, { status: 'unavailable' }])
    } finally {
      await cut.close()
    }
  })

  test('say that it is not all started yet, though it listens, and at once when it is', async () => {
    const starting = await createTestContext()
    const state = starting.ctx.instance(createStartState)
    state.isStarting = true
    const app = buildApp(starting.ctx)
    const statusOf = async () => (await app.inject({ method: 'GET', url: '/readyz' })).statusCode
    expect(await statusOf()).toBe(503)
    state.isStarting = false
    expect(await statusOf()).toBe(200)
    await starting.close()
  })

  test('say that it stops', async () => {
    const app = buildApp(one.ctx)
    await app.listen({ port: 0, host: '127.0.0.1' })
    expect((await app.inject({ method: 'GET', url: '/readyz' })).statusCode).toBe(200)
    await app.close()
    expect((await app.inject({ method: 'GET', url: '/readyz' }).catch(() => null))?.statusCode ?? 503).toBe(503)
  })
})

describe('reports of what the page may not do', () => {
  const report = (payload: string, type: string) =>
    request(one.ctx)
      .anonymous()
      .inject({ method: 'POST', url: '/csp-report', payload, headers: { 'content-type': type } })

  test.each([
    ['application/csp-report', '{"csp-report":{"blocked-uri":"inline"}}', 204],
    ['application/reports+json', '[{"type":"csp-violation"}]', 204],
    ['application/csp-report', 'nothing that could be read', 204],
    ['application/csp-report', 'x'.repeat(9000), 413],
    ['text/plain', 'x', 400],
  ])('%s is taken or refused', async (type, payload, status) => {
    expect((await report(payload, type)).statusCode).toBe(status)
  })
})
