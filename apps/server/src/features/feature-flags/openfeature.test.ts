import type { AddressInfo } from 'node:net'
import { OFREPProvider } from '@openfeature/ofrep-provider'
import { OFREPWebProvider } from '@openfeature/ofrep-web-provider'
import { OpenFeature } from '@openfeature/server-sdk'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/context.ts'
import { addPerson, secretsEnv } from '../../../test/people.ts'
import { type Caller, createTestApp, request } from '../../../test/request.ts'
import { makeFlag } from './test/samples.ts'

// The official providers of OpenFeature against the console as it listens.
let t: TestContext
let root: Caller
let app: FastifyInstance
let baseUrl: string
let key: string

beforeAll(async () => {
  t = await createTestContext({ env: secretsEnv })
  root = request(t.ctx).withKey((await addPerson(t, { role: 'super_admin' })).key)
  const made = await root.post('/admin/api-keys', { name: 'Sites', permissions: ['flags.evaluate'] })
  key = made.json().key
  app = t.ctx.instance(createTestApp)
  await app.listen({ port: 0, host: '127.0.0.1' })
  baseUrl = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
})
afterAll(async () => {
  await OpenFeature.close()
  await app?.close()
  await t?.close()
})

const headers = (): [string, string][] => [['Authorization', `Bearer ${key}`]]

test('a server asks with the SDK of OpenFeature', async () => {
  await makeFlag(root, { name: 'server-on', enabled: true })
  await makeFlag(root, { name: 'server-some', enabled: true, rollout_percentage: 50 })
  await OpenFeature.setProviderAndWait(new OFREPProvider({ baseUrl, headers: headers() }))
  const client = OpenFeature.getClient()
  expect(await client.getBooleanDetails('server-on', false, { targetingKey: 'visitor-1' })).toMatchObject({
    ...{ value: true, variant: 'on', reason: 'STATIC' },
  })
  const values = new Set<boolean>()
  for (let n = 0; n < 30; n++) values.add(await client.getBooleanValue('server-some', false, { targetingKey: `v${n}` }))
  expect(values.size).toBe(2)
  expect(await client.getBooleanDetails('server-some', true)).toMatchObject({
    ...{ value: true, errorCode: 'TARGETING_KEY_MISSING', reason: 'ERROR' },
  })
  expect(await client.getBooleanDetails('never-was', true)).toMatchObject({
    ...{ value: true, errorCode: 'FLAG_NOT_FOUND', reason: 'ERROR' },
  })
  expect(await client.getStringDetails('server-on', 'fallback')).toMatchObject({
    ...{ value: 'fallback', errorCode: 'TYPE_MISMATCH' },
  })
})

test('a page asks with the web provider, which keeps what did not change', async () => {
  const flag = await makeFlag(root, { name: 'page-on', enabled: true })
  const statuses: number[] = []
  const provider = new OFREPWebProvider({
    ...{ baseUrl, headers: headers(), pollInterval: 100 },
    fetchImplementation: async (input: Parameters<typeof fetch>[0], init?: RequestInit) => {
      const answer = await fetch(input, init)
      statuses.push(answer.status)
      return answer
    },
  })
  const context = { targetingKey: 'visitor-1' }
  const seen = (name: string) => provider.resolveBooleanEvaluation(name, false, context)
  await provider.initialize(context)
  try {
    expect(seen('page-on')).toMatchObject({ value: true, variant: 'on' })
    await expect.poll(() => statuses.includes(304)).toBe(true)
    await root.patch(`/features/${flag.id}`, { enabled: false })
    await expect.poll(() => seen('page-on').value).toBe(false)
  } finally {
    await provider.onClose?.()
  }
})

test('a key that may not ask is told apart by both', async () => {
  const refused: [string, string][] = [['Authorization', 'Bearer agc_nothing']]
  const provider = new OFREPWebProvider({ baseUrl, headers: refused, pollInterval: 0 })
  await expect(provider.initialize({ targetingKey: 'visitor-1' })).rejects.toThrow()
  const server = new OFREPProvider({ baseUrl, headers: refused })
  await expect(server.resolveBooleanEvaluation('page-on', false, { targetingKey: 'v' })).rejects.toThrow()
})
