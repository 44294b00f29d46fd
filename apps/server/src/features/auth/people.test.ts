import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestContext } from '../../../test/context.ts'
import {
  acceptLink,
  addPerson,
  freshAddress,
  goodPassword,
  invite,
  logInWithEmail,
  secretsEnv,
} from '../../../test/people.ts'
import { request } from '../../../test/request.ts'
import { auditOf, createTwoProcesses, getSession } from '../../../test/sign-in.ts'

const ownPassword = 'maple-orbit-cactus-93'
const day = 24 * 60 * 60_000
const refusedText = 'Invalid email or password. Please try again.'

let t: TestContext
let two: TestContext

beforeAll(async () => {
  ;[t, two] = await createTwoProcesses(secretsEnv)
})

afterAll(async () => {
  await two?.close()
  await t?.close()
})

const root = () => request(t.ctx).as('super_admin')
const withKey = (key: string) => request(t.ctx).withKey(key, freshAddress())

async function addWithTemporary(role = 'support'): Promise<{ id: string; email: string }> {
  const email = `temporary-${freshAddress()}@example.com`
  const response = await root().post('/admin/users', {
    name: 'Terry',
    email,
    role_id: role,
    temporary_password: goodPassword,
    send_welcome_email: false,
  })
  return { id: response.json().user.id, email }
}

describe('signing in with email', () => {
  test('opens a session of the person, with what their role gives', async () => {
    const person = await addPerson(t, { name: 'Sue Port', email: 'sue@example.com' })
    const response = await logInWithEmail(t, '  SUE@example.com ')
    expect(response.statusCode).toBe(200)
    const { session_key: key, ...state } = response.json()
    expect(key).toMatch(/^acs_[\w-]{43}$/)
    expect(state).toMatchObject({
      actor: {
        type: 'user',
        id: person.id,
        name: 'Sue Port',
        role: 'support',
        permissions: ['customers.read', 'sites.read', 'support.read', 'support.write'],
      },
      stage: 'open',
      user: {
        id: person.id,
        email: 'sue@example.com',
        role_name: 'Support',
        second_factor: { enabled: false, required: false, recovery_codes_left: 0 },
      },
      session: { expires_at: '2026-03-01T21:00:00.000Z' },
    })
    expect((await getSession(t, key)).json()).toEqual(state)
    expect(await auditOf(t, response)).toEqual(['Sue Port: session.sign_in done'])
    const { rows } = await t.ctx.pool.query(`select string_agg(u::text, ',') as text from users u`)
    expect(rows[0].text).toContain('$argon2id$')
    expect(rows[0].text).not.toContain(goodPassword)
  })

  test('may do what the role gives and no more', async () => {
    const { key } = await addPerson(t, { role: 'support' })
    expect((await withKey(key).get('/stripe/customers')).statusCode).toBe(200)
    const refused = await withKey(key).get('/stripe/payments')
    expect([refused.statusCode, refused.json().permission]).toEqual([403, 'billing.read'])
  })

  test('is refused with the same words, whatever is wrong; the log says what it was', async () => {
    const active = await addPerson(t)
    const inactive = await addPerson(t)
    await root().post(`/admin/users/${inactive.id}/deactivate`)
    const { user } = await invite(t, { name: 'Not yet', email: 'not-yet@example.com', role_id: 'support' })
    const cases = [
      [active.email, 'a wrong password', active.id, 'wrong password'],
      ['nobody@example.com', goodPassword, null, 'no such account'],
      [inactive.email, goodPassword, inactive.id, 'account not active'],
      [inactive.email, 'a wrong password', inactive.id, 'wrong password'],
      ['not-yet@example.com', goodPassword, user.id, 'invitation not accepted'],
      ["' or 1=1 --", goodPassword, null, 'no such account'],
    ] as const
    for (const [email, password, userId, reason] of cases) {
      const address = freshAddress()
      const response = await logInWithEmail(t, email, password, address)
      expect(response.statusCode).toBe(401)
      const { requestId, ...problem } = response.json()
      expect(problem).toEqual({
        type: 'about:blank',
        title: 'Sign in first',
        status: 401,
        detail: refusedText,
        code: 'unauthenticated',
      })
      expect(await auditOf(t, response)).toEqual(['Unknown: session.sign_in failed'])
      const attempt = await t.ctx.db
        .selectFrom('sign_in_attempts')
        .select(['user_id', 'reason', 'succeeded', 'method'])
        .where('address', '=', address)
        .executeTakeFirst()
      expect(attempt).toEqual({ user_id: userId, reason, succeeded: false, method: 'email' })
      expect(requestId).toBe(response.headers['x-request-id'])
    }
  })

  test.each([
    [{ email: '', password: 'x' }],
    [{ email: 'a@b.c', password: '' }],
    [{ email: 'a@b.c' }],
    [{ email: 'a@b.c', password: 'x'.repeat(257) }],
    [{ email: 'a@b.c', password: 'x', remember: true }],
  ])('refuses the body %j', async (body) => {
    const response = await request(t.ctx).anonymous(freshAddress()).post('/auth/login/email', body)
    expect([response.statusCode, response.json().code]).toEqual([400, 'invalid_request'])
  })

  test('that was under way when the password was taken away opens nothing', async () => {
    const person = await addPerson(t)
    await root().post(`/admin/users/${person.id}/deactivate`)
    await root().post(`/admin/users/${person.id}/activate`)
    const [late] = await Promise.all([
      logInWithEmail(t, person.email),
      root().post(`/admin/users/${person.id}/reset-password`, { temporary_password: ownPassword, send_email: false }),
    ])
    const opened = late.statusCode === 200 ? await getSession(t, late.json().session_key) : late
    expect(opened.statusCode).toBe(401)
  })
})

describe('a temporary password', () => {
  const open = async (email: string) => {
    const response = await logInWithEmail(t, email)
    expect(response.json()).toMatchObject({ stage: 'new_password', actor: { permissions: [] } })
    return response.json().session_key as string
  }

  test('opens nothing but the way to one of your own', async () => {
    const { email } = await addWithTemporary('super_admin')
    const key = await open(email)
    for (const [method, path] of [
      ['GET', '/admin/users'],
      ['GET', '/stripe/customers'],
      ['GET', '/notifications'],
      ['GET', '/events'],
      ['GET', '/openapi.json'],
      ['POST', '/auth/heartbeat'],
      ['POST', '/auth/recovery-codes'],
    ] as const) {
      const response = await withKey(key).inject({
        method,
        url: `/api${path}`,
        headers: { 'content-type': 'application/json' },
        ...(method === 'POST' && { payload: '{}' }),
      })
      expect(`${path}: ${response.statusCode} ${response.json().code}`).toBe(`${path}: 403 sign_in_incomplete`)
    }
    expect((await withKey(key).get('/auth/session')).json()).toMatchObject({ stage: 'new_password' })
    const chosen = await withKey(key).post('/auth/first-password', { password: ownPassword })
    expect(chosen.json()).toMatchObject({ stage: 'open', actor: { role: 'super_admin' } })
    expect(chosen.json().actor.permissions).toHaveLength(14)
    expect(await auditOf(t, chosen)).toEqual(['Terry: user.change_password done'])
    // What was proven now is not held by the key of before.
    expect((await getSession(t, key)).statusCode).toBe(401)
    const own = chosen.json().session_key
    expect((await withKey(own).get('/admin/users')).statusCode).toBe(200)
    const again = await withKey(own).post('/auth/first-password', { password: 'another-fine-one-7' })
    expect([again.statusCode, again.json().detail]).toEqual([409, 'There is no temporary password to replace'])
  })

  test('is worthless once it was replaced, and ends what others had opened with it', async () => {
    const { email } = await addWithTemporary()
    const [mine, theirs] = [await open(email), await open(email)]
    await withKey(mine).post('/auth/first-password', { password: ownPassword })
    expect((await getSession(t, theirs)).statusCode).toBe(401)
    expect((await logInWithEmail(t, email)).statusCode).toBe(401)
    expect((await logInWithEmail(t, email, ownPassword)).json().stage).toBe('open')
  })

  test.each([
    ['itself', goodPassword, 'Choose a different password'],
    ['one that is easy to guess', 'terry1234', /too easy to guess/],
    ['one that is too short', 'k9#kd2!', /at least 8 characters/],
  ])('is not replaced by %s', async (_name, password, detail) => {
    const key = await open((await addWithTemporary()).email)
    const response = await withKey(key).post('/auth/first-password', { password })
    expect(response.statusCode).toBe(400)
    expect(response.json().detail).toEqual(expect.stringMatching(detail))
    expect((await withKey(key).get('/auth/session')).json().stage).toBe('new_password')
  })

  test('expires after seven days, with its own words', async () => {
    const { email, id } = await addWithTemporary()
    const start = t.clock.now()
    try {
      t.clock.set(start + 7 * day - 1)
      await open(email)
      t.clock.set(start + 7 * day)
      const late = await logInWithEmail(t, email)
      expect([late.statusCode, late.json().detail]).toEqual([
        401,
        'This temporary password has expired. Ask an administrator for a new one.',
      ])
      expect((await logInWithEmail(t, email, 'a wrong one')).json().detail).toBe(refusedText)
      expect((await root().get(`/admin/users/${id}`)).json().user.password).toBe('temporary_expired')
    } finally {
      t.clock.set(start)
    }
  })
})

describe('changing your password', () => {
  test('asks for the current one and ends the other sessions', async () => {
    const person = await addPerson(t)
    const other = (await logInWithEmail(t, person.email)).json().session_key
    const wrong = await withKey(person.key).post('/auth/password', {
      current_password: 'a wrong one',
      password: ownPassword,
    })
    expect([wrong.statusCode, wrong.json().parameter]).toEqual([400, 'current_password'])
    const done = await withKey(person.key).post('/auth/password', {
      current_password: goodPassword,
      password: ownPassword,
    })
    expect(done.json()).toEqual({ success: true, ended_sessions: 1 })
    expect((await getSession(t, other)).statusCode).toBe(401)
    expect((await getSession(t, person.key)).statusCode).toBe(200)
    expect((await logInWithEmail(t, person.email)).statusCode).toBe(401)
    expect((await logInWithEmail(t, person.email, ownPassword)).statusCode).toBe(200)
  })

  test('is for people, not for keys', async () => {
    const response = await root().post('/auth/password', { current_password: 'x', password: ownPassword })
    expect(response.statusCode).toBe(409)
  })
})

test('choosing a password that is too easy is no wrong try', async () => {
  const { token } = await invite(t, { name: 'Picky', email: 'picky@example.com', role_id: 'support' })
  const address = freshAddress()
  const accept = (password: string) => request(t.ctx).anonymous(address).post('/auth/links/accept', { token, password })
  for (let count = 0; count < 8; count++) expect((await accept('picky1234')).statusCode).toBe(400)
  expect((await accept(goodPassword)).statusCode).toBe(200)
  expect((await acceptLink(t, token)).statusCode).toBe(404)
})
