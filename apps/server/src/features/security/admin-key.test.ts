import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { TestContext } from '../../../test/context.ts'
import { eventually } from '../../../test/eventually.ts'
import { addPerson, enrol, goodPassword, secretsEnv } from '../../../test/people.ts'
import { request } from '../../../test/request.ts'
import { auditOf, createTwoProcesses, getSession, logIn, signIn, testAdminKey } from '../../../test/sign-in.ts'
import { asSystem } from '../../context.ts'
import { ensureAdminKey, makeAdminKey } from '../auth/index.ts'

let one: TestContext
let two: TestContext

beforeAll(async () => {
  ;[one, two] = await createTwoProcesses(secretsEnv)
})
afterAll(async () => {
  await two?.close()
  await one?.close()
})
beforeEach(async () => {
  await one.ctx.pool.query('delete from sessions')
})

const withKey = (key: string, test = one) => request(test.ctx).withKey(key)
const statusOf = async (key: string, test = one) => (await getSession(test, key)).statusCode

describe('the admin key', () => {
  const state = async (key: string) => (await withKey(key).get('/admin/security/admin-key')).json()

  test('of the environment is not rotated here', async () => {
    const key = await signIn(one)
    expect(await state(key)).toMatchObject({
      ...{
        enabled: true,
        source: 'environment',
        live_sessions: 1,
        cannot_rotate_reason: expect.stringContaining('ADMIN_KEY'),
      },
      last_used_at: new Date(one.clock.now()).toISOString(),
    })
    const refused = await withKey(key).post('/admin/security/admin-key/rotate')
    expect(refused.json()).toMatchObject({ status: 409, code: 'conflict' })
  })

  test('cannot be switched off while nobody else could manage everything', async () => {
    const key = await signIn(one)
    expect((await state(key)).cannot_disable_reason).toContain('two-step sign-in')
    expect((await withKey(key).post('/admin/security/admin-key/disable')).statusCode).toBe(409)
    await addPerson(one, { role: 'super_admin' })
    expect((await withKey(key).post('/admin/security/admin-key/disable')).statusCode).toBe(409)
  })

  test('is switched off with its sessions and API keys, and stays off at the next start', async () => {
    const person = await addPerson(one, { role: 'super_admin' })
    const { key } = await enrol(one, person.key, goodPassword)
    const session = await signIn(one)
    const { key: apiKey } = (
      await withKey(session).post('/admin/api-keys', { name: 'Reports', permissions: ['customers.read'] })
    ).json()
    expect(await statusOf(apiKey, two)).toBe(200)
    expect(await state(key)).toMatchObject({ cannot_disable_reason: null, live_api_keys: 1, live_sessions: 1 })
    const off = await withKey(session).post('/admin/security/admin-key/disable')
    expect(off.json()).toEqual({ ended_sessions: 1 })
    expect(await auditOf(one, off)).toEqual(['Admin key: admin_key.disable done', 'Admin key: session.revoke done'])
    expect([await statusOf(session), await statusOf(testAdminKey), await statusOf(apiKey)]).toEqual([401, 401, 401])
    for (const dead of [session, testAdminKey, apiKey])
      await eventually(async () => expect(await statusOf(dead, two)).toBe(401))
    await ensureAdminKey(asSystem(two.ctx, 'job', 'start'))
    expect((await logIn(two, testAdminKey)).statusCode).toBe(401)
    expect(await state(key)).toMatchObject({ enabled: false, cannot_rotate_reason: expect.stringContaining('npm run') })
    expect((await withKey(key).post('/admin/security/admin-key/disable')).statusCode).toBe(409)
    const made = await makeAdminKey(asSystem(one.ctx, 'job', 'npm run admin-key'))
    expect((await logIn(two, made)).statusCode).toBe(200)
  })
})
