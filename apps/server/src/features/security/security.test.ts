import type { LiveSession } from '@agency/contract/types'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { TestContext } from '../../../test/context.ts'
import { eventually } from '../../../test/eventually.ts'
import { addPerson, logInWithEmail, secretsEnv } from '../../../test/people.ts'
import { request } from '../../../test/request.ts'
import { auditOf, createTwoProcesses, getSession, logIn, signIn, testAdminKey } from '../../../test/sign-in.ts'

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
  await one.ctx.pool.query('delete from sessions; delete from sign_in_lockouts; delete from sign_in_attempts')
})

const withKey = (key: string, test = one) => request(test.ctx).withKey(key)
const sessionsOf = async (key: string): Promise<LiveSession[]> =>
  (await withKey(key).get('/admin/security/sessions')).json().sessions
const statusOf = async (key: string, test = one) => (await getSession(test, key)).statusCode

describe('sessions', () => {
  test('are listed by their last activity, with whose, where from and which is mine', async () => {
    const other = await signIn(one, '10.0.0.9')
    one.clock.advance(60_000)
    const mine = await signIn(one)
    const shown = await sessionsOf(mine)
    expect(shown.map(({ is_mine }) => is_mine)).toEqual([true, false])
    expect(shown[1]).toMatchObject({
      ...{ actor_type: 'admin_key', actor_name: 'Admin key', role: 'super_admin', address: '10.0.0.9' },
      ...{ stage: 'open', second_factor: false, device: expect.any(String) },
    })
    expect((await sessionsOf(other)).map(({ is_mine }) => is_mine)).toEqual([false, true])
  })

  test('that ended are not among them, and every page is as long as it says', async () => {
    const keys = []
    for (let index = 0; index < 5; index++) {
      keys.push(await signIn(one))
      one.clock.advance(1000)
    }
    await withKey(keys[0]!).post('/auth/logout')
    const page = (await withKey(keys[4]!).get('/admin/security/sessions?limit=3')).json()
    expect([page.sessions.length, page.has_more, page.total]).toEqual([3, true, 4])
    const next = `/admin/security/sessions?limit=3&starting_after=${page.sessions[2].id}`
    expect((await withKey(keys[4]!).get(next)).json()).toMatchObject({ has_more: false, total: 4 })
    one.clock.advance(31 * 60_000)
    expect(await sessionsOf(await signIn(one))).toHaveLength(1)
  })

  test('can be ended one by one, at once in every process, which is written down', async () => {
    const [mine, other] = [await signIn(one), await signIn(one, '10.0.0.8')]
    expect(await statusOf(other, two)).toBe(200)
    const { id } = (await sessionsOf(mine)).find(({ is_mine }) => !is_mine)!
    const ended = await withKey(mine).post(`/admin/security/sessions/${id}/revoke`)
    expect(ended.json()).toEqual({ success: true })
    expect(await auditOf(one, ended)).toEqual(['Admin key: session.revoke done'])
    expect(await statusOf(other)).toBe(401)
    await eventually(async () => expect(await statusOf(other, two)).toBe(401))
    expect((await withKey(mine).post(`/admin/security/sessions/${id}/revoke`)).statusCode).toBe(404)
    const { entries } = (await withKey(mine).get('/admin/audit?action=session.revoke&limit=1')).json()
    expect(entries[0]).toMatchObject({ details: 'Ended a session of Admin key', resource_id: id })
  })

  test('can be ended all but mine, one entry each', async () => {
    const mine = await signIn(one)
    const others = [await signIn(one), await signIn(one), await signIn(one)]
    const ended = await withKey(mine).post('/admin/security/sessions/revoke-others')
    expect(ended.json()).toEqual({ ended: 3 })
    expect(await auditOf(one, ended)).toHaveLength(3)
    expect(await Promise.all(others.map((key) => statusOf(key)))).toEqual([401, 401, 401])
    expect(await statusOf(mine)).toBe(200)
  })

  test('all end when the admin key itself asks', async () => {
    await signIn(one)
    await signIn(one)
    const ended = await withKey(testAdminKey).post('/admin/security/sessions/revoke-others')
    expect(ended.json()).toEqual({ ended: 2 })
  })
})

describe('sign-ins', () => {
  test('are listed newest first, and by outcome', async () => {
    await logIn(one, 'a-wrong-key-that-is-long-enough', '10.0.0.7')
    const key = await signIn(one)
    const list = async (query: string) => (await withKey(key).get(`/admin/security/attempts${query}`)).json().attempts
    expect(await list('')).toMatchObject([
      { method: 'login', succeeded: true },
      { method: 'login', succeeded: false, address: '10.0.0.7' },
    ])
    expect(await list('?outcome=failed')).toHaveLength(1)
    expect(await list('?outcome=succeeded')).toHaveLength(1)
    const [newest] = await list('?limit=1')
    expect(await list(`?starting_after=${newest.id}`)).toMatchObject([{ succeeded: false }])
  })

  test('tell the account where it exists', async () => {
    const person = await addPerson(one)
    await logInWithEmail(one, person.email, 'not-the-password')
    await logInWithEmail(one, 'nobody@example.com', 'not-the-password')
    const { attempts } = (await withKey(testAdminKey).get('/admin/security/attempts?outcome=failed')).json()
    expect(attempts).toMatchObject([{ account: null }, { account: person.email, reason: 'wrong password' }])
  })

  test.each(['limit=0', 'outcome=good', 'starting_after=x', 'starting_after=99999999'])('refuse %s', async (query) => {
    expect((await withKey(testAdminKey).get(`/admin/security/attempts?${query}`)).statusCode).toBe(400)
  })
})

describe('a lock-out', () => {
  const wrong = async (times: number) => {
    for (let count = 0; count < times; count++) await logIn(one, 'a-wrong-key-that-is-long-enough', '10.0.0.6')
  }

  test('is shown and can be released, in every process', async () => {
    const key = testAdminKey
    await wrong(5)
    expect((await logIn(one, testAdminKey, '10.0.0.6')).statusCode).toBe(429)
    const { lockouts } = (await withKey(key).get('/admin/security/lockouts')).json()
    expect(lockouts).toMatchObject([{ kind: 'address', subject: '10.0.0.6', failures: 5 }])
    expect(Date.parse(lockouts[0].locked_until)).toBeGreaterThan(one.clock.now())
    const released = await withKey(key).post(`/admin/security/lockouts/${encodeURIComponent(lockouts[0].id)}/release`)
    expect(released.json()).toEqual({ success: true })
    expect(await auditOf(one, released)).toEqual(['Admin key: address.release done'])
    expect((await logIn(two, testAdminKey, '10.0.0.6')).statusCode).toBe(200)
    expect((await withKey(key).get('/admin/security/lockouts')).json()).toEqual({ lockouts: [] })
  })

  test('of an account names it by its email', async () => {
    const person = await addPerson(one)
    await logInWithEmail(one, person.email, 'not-the-password', '2001:db8::1')
    const key = testAdminKey
    const { lockouts } = (await withKey(key).get('/admin/security/lockouts')).json()
    const account = lockouts.find(({ kind }: { kind: string }) => kind === 'account')
    expect(account).toMatchObject({ subject: person.email, failures: 1, locked_until: null })
    for (const { id } of lockouts)
      expect((await withKey(key).post(`/admin/security/lockouts/${encodeURIComponent(id)}/release`)).statusCode).toBe(
        200,
      )
  })

  test('that is not there cannot be released', async () => {
    expect((await withKey(testAdminKey).post('/admin/security/lockouts/10.9.9.9/release')).statusCode).toBe(404)
  })
})
