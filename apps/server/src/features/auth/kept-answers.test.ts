import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/context.ts'
import { addPerson, secretsEnv } from '../../../test/people.ts'
import { request } from '../../../test/request.ts'
import { getSession, signIn, testAdminKey } from '../../../test/sign-in.ts'
import { asSystem } from '../../context.ts'
import { ensureAdminKey } from './index.ts'

const env = { ...secretsEnv, ADMIN_KEY: testAdminKey }
let one: TestContext
beforeAll(async () => {
  one = await createTestContext({ env })
  await ensureAdminKey(asSystem(one.ctx, 'job', 'start'))
})
afterAll(() => one?.close())

const clear = 'clear-site-data'
const listOf = ({ ctx }: TestContext) => request(ctx).as('super_admin').get('/stripe/customers')

test('a logout clears what the browser keeps', async () => {
  const key = await signIn(one)
  expect((await getSession(one, key)).headers[clear]).toBeUndefined()
  const answer = await request(one.ctx).withKey(key).post('/auth/logout', {})
  expect([answer.statusCode, answer.headers[clear]]).toEqual([200, '"cache"'])
})

test('so does the first refusal of a session that has ended, however it ended', async () => {
  const revoked = await signIn(one)
  await request(one.ctx).withKey(revoked).post('/auth/logout', {})
  const idle = await signIn(one)
  one.clock.advance(31 * 60_000)
  const refusals = await Promise.all([revoked, idle].map((key) => getSession(one, key)))
  expect(refusals.map(({ statusCode, headers }) => [statusCode, headers[clear]])).toEqual([
    [401, '"cache"'],
    [401, '"cache"'],
  ])
})

test('a wrong key clears nothing', async () => {
  const { email } = await addPerson(one)
  const refused = [
    await getSession(one, 'a wrong key'),
    await request(one.ctx).anonymous().post('/auth/login/email', { email, password: 'a wrong password' }),
    await request(one.ctx).anonymous().get('/stripe/customers'),
  ]
  expect(refused.map(({ statusCode, headers }) => [statusCode, headers[clear]])).toEqual(
    Array(3).fill([401, undefined]),
  )
})

test('answers may be kept only where a browser can be told to clear them', async () => {
  expect((await listOf(one)).headers['cache-control']).toBe('private, no-cache')
  const exposed = await createTestContext({ env: { ...env, HOST: '0.0.0.0' } })
  expect((await listOf(exposed)).headers['cache-control']).toBe('no-store')
  await exposed.close()
  const secure = await createTestContext({
    env: { ...env, HOST: '0.0.0.0', PUBLIC_URL: 'https://console.example.com' },
  })
  expect((await listOf(secure)).headers['cache-control']).toBe('private, no-cache')
  await secure.close()
})
