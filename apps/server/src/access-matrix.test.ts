import { readFileSync } from 'node:fs'
import * as contract from '@agency/contract'
import type { EndpointConfig } from '@agency/contract/endpoint'
import { apiKeyPermissions, systemRoles } from '@agency/contract/permissions'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../test/context.ts'
import { createPerson } from '../test/people.ts'
import { request } from '../test/request.ts'
import { testAdminKey } from '../test/sign-in.ts'
import { asSystem } from './context.ts'
import { ensureAdminKey } from './features/auth/index.ts'
import { openApiRoute } from './platform/http/openapi-route.ts'
import { isEndpoint } from './platform/http/routes.ts'

/** The columns of docs/access-matrix.md: who calls. */
const holders = [
  'no key',
  'admin key',
  ...systemRoles,
  ...apiKeyPermissions.map((scope) => `key ${scope}`),
  'signing in',
]
type Answer = 'yes' | 'no' | '401'

const written = new URL('../../../docs/access-matrix.md', import.meta.url)

/** The written matrix: `METHOD /path` → who may call it. */
function readMatrix(): Map<string, Record<string, string>> {
  const lines = readFileSync(written, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| `'))
  return new Map(
    lines.map((line) => {
      const [call = '', , ...answers] = line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim())
      return [
        call.replaceAll('`', ''),
        Object.fromEntries(holders.map((holder, index) => [holder, answers[index] ?? ''])),
      ]
    }),
  )
}

const endpoints = Object.values(contract)
  .flatMap((domain) => Object.values(domain as Record<string, unknown>).filter(isEndpoint))
  .concat(openApiRoute.endpoint) as EndpointConfig[]

const nameOf = ({ method, path }: EndpointConfig) => `${method} ${path}`

let one: TestContext
const keys = new Map<string, string>()

beforeAll(async () => {
  one = await createTestContext({ env: { ADMIN_KEY: testAdminKey } })
  await ensureAdminKey(asSystem(one.ctx, 'job', 'start'))
  keys.set('admin key', testAdminKey)
  for (const role of systemRoles) keys.set(role, (await createPerson(one, { role })).key)
  keys.set('signing in', (await createPerson(one, { role: 'super_admin', stage: 'second_factor' })).key)
  for (const scope of apiKeyPermissions) {
    const made = await request(one.ctx)
      .withKey(testAdminKey)
      .post('/admin/api-keys', { name: scope, permissions: [scope] })
    keys.set(`key ${scope}`, made.json().key)
  }
})

afterAll(async () => {
  await one?.close()
})

/**
 * Calls an endpoint with an input that none accepts, so that nothing happens: whoever is let in hears that the input is
 * bad or that there is no such thing, and whoever is not is refused before anybody looks at it.
 */
async function call(endpoint: EndpointConfig, holder: string): Promise<Answer> {
  const path = endpoint.path.replace(/:\w+/g, 'nobody')
  const key = keys.get(holder)
  const caller = key === undefined ? request(one.ctx).anonymous() : request(one.ctx).withKey(key)
  const response = await caller.inject({
    method: endpoint.method,
    url: `/api${path}?no_such_parameter=1`,
    headers: { 'content-type': 'application/json' },
    ...(endpoint.method !== 'GET' && { payload: '{"no_such_field":1}' }),
  })
  if (response.statusCode === 401) return '401'
  return response.statusCode === 403 ? 'no' : 'yes'
}

/** It never ends for those who may; that they hear what they may hear is tested with the streams. */
const isStream = (endpoint: EndpointConfig) => endpoint.produces === 'text/event-stream'

describe('the written matrix', () => {
  const matrix = readMatrix()

  test('has a row for every call of the API and no other', () => {
    expect([...matrix.keys()].sort()).toEqual(endpoints.map(nameOf).sort())
  })

  test.each(endpoints.map((endpoint) => [nameOf(endpoint), endpoint] as const))(
    '%s is answered to those who may, and refused to everybody else',
    async (name, endpoint) => {
      const expected = matrix.get(name) ?? {}
      const callers = isStream(endpoint) ? holders.filter((holder) => expected[holder] !== 'yes') : holders
      const seen: Record<string, Answer> = {}
      for (const holder of callers) seen[holder] = await call(endpoint, holder)
      expect(seen).toEqual(Object.fromEntries(callers.map((holder) => [holder, expected[holder]])))
    },
  )
})
