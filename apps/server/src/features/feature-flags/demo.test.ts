import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestContext, runJob, type TestContext } from '../../../test/context.ts'
import { request } from '../../../test/request.ts'
import { testAdminKey } from '../../../test/sign-in.ts'
import { asSystem, type DemoFlags } from '../../context.ts'
import { ensureAdminKey } from '../auth/index.ts'

let t: TestContext
let told: { url: string; key: string } | null = null
const demoFlags: DemoFlags = {
  where: async () => told?.url ?? null,
  set: async (access) => {
    told = access
  },
}

beforeAll(async () => {
  t = await createTestContext({ env: { ADMIN_KEY: testAdminKey, PORT: '3999' } })
  await ensureAdminKey(asSystem(t.ctx, 'job', 'start'))
})
afterAll(() => t?.close())

const root = () => request(t.ctx).withKey(testAdminKey)
const keep = () => runJob(t.ctx, 'feature-flags.demo')
const keys = async () =>
  (await root().get('/admin/api-keys'))
    .json()
    .keys.map(({ state }: { state: string }) => state)
    .sort()
const stages = async () =>
  Object.fromEntries(
    (await root().get('/features'))
      .json()
      .flags.map(({ name, stage }: { name: string; stage: string }) => [name, stage]),
  )
const ask = async () => {
  const answer = await request(t.ctx)
    .anonymous()
    .inject({
      ...{ method: 'POST', url: '/ofrep/v1/evaluate/flags/announcement-bar', payload: '{"context":{"site":"any"}}' },
      headers: { 'content-type': 'application/json', authorization: `Bearer ${told?.key}` },
    })
  return answer.statusCode === 200 ? answer.json().value : answer.statusCode
}

test('brings flags once, and the sites a key to ask with, which follows the address', async () => {
  t.ctx.replace({ config: { ...t.ctx.config, mode: 'demo' }, demoFlags })
  await keep()
  await keep()
  expect(told?.url).toBe('http://127.0.0.1:3999')
  expect(await stages()).toEqual({ 'announcement-bar': 'everyone', 'new-hero': 'rollout', 'quick-contact': 'new' })
  expect(await ask()).toBe(true)
  expect(await keys()).toEqual(['active'])
  t.ctx.replace({ config: { ...t.ctx.config, port: 4001 } })
  await keep()
  expect(told?.url).toBe('http://127.0.0.1:4001')
  expect(await keys()).toEqual(['active', 'revoked'])
  expect(await ask()).toBe(true)
})

test('leaves nothing of it to a console with real accounts', async () => {
  t.ctx.replace({ config: { ...t.ctx.config, mode: 'live' }, demoFlags: null })
  await keep()
  expect(Object.values(await stages())).toEqual(['archived', 'archived', 'archived'])
  expect(await keys()).toEqual(['revoked', 'revoked'])
  expect(await ask()).toBe(401)
})
