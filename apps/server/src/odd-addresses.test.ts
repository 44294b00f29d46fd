import * as contract from '@agency/contract'
import type { EndpointConfig } from '@agency/contract/endpoint'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../test/context.ts'
import { request } from '../test/request.ts'
import { isEndpoint } from './platform/http/routes.ts'

const endpoints = Object.values(contract).flatMap((domain) =>
  Object.values(domain as Record<string, unknown>).filter(isEndpoint),
) as EndpointConfig[]

const calls = [
  ...endpoints
    .filter(({ path }) => path.includes(':'))
    .map(({ method, path }) => [method, `/api${path.replace(/:\w+/g, 'ODD')}`] as const),
  ...([
    ['POST', '/deploy-callbacks/ODD'],
    ['GET', '/admin/ODD'],
    ['GET', '/assets/ODD'],
    ['GET', '/api/ODD'],
  ] as const),
]

let one: TestContext
beforeAll(async () => {
  one = await createTestContext()
})
afterAll(() => one?.close())

const statusOf = async ([method, url]: (typeof calls)[number], part: string): Promise<number> =>
  (
    await request(one.ctx)
      .as('super_admin')
      .inject({ method, url: url.replaceAll('ODD', part) })
  ).statusCode

test.each(['%', '%zz', 'a%', '%E0%A4%A', '%c0%af'])(
  'the escape %j, which is none, is a bad request everywhere',
  async (part) => {
    expect(calls.length).toBeGreaterThan(100)
    for (const call of calls) expect([...call, await statusOf(call, part)]).toEqual([...call, 400])
  },
)

test.each(['%00', 'a%00b', '%ff', '%ed%a0%80', '%2e%2e%2f', '%F0%9F%8D%9E', '%20'])(
  '%j in an address is no failure of the console',
  async (part) => {
    for (const call of calls) expect([...call, await statusOf(call, part)]).not.toContain(500)
  },
)
