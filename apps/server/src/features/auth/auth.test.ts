import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestContext } from '../../../test/context.ts'
import { eventually } from '../../../test/eventually.ts'
import { request } from '../../../test/request.ts'
import { auditOf, createTwoProcesses, getSession, logIn, signIn, testAdminKey } from '../../../test/sign-in.ts'

let one: TestContext
let two: TestContext

beforeAll(async () => {
  ;[one, two] = await createTwoProcesses()
})

afterAll(async () => {
  await two?.close()
  await one?.close()
})

describe('signing in', () => {
  test('trades the admin key for a session key, and stores hashes only', async () => {
    const response = await logIn(one, ` ${testAdminKey} `)
    expect(response.statusCode).toBe(200)
    const { session_key: key, ...state } = response.json()
    expect(key).toMatch(/^acs_[\w-]{43}$/)
    expect(state).toMatchObject({
      actor: { type: 'admin_key', id: 'admin_key', name: 'Admin key', role: 'super_admin' },
      version: one.ctx.config.version,
      mode: 'demo',
      stripe_account: null,
      session: {
        created_at: '2026-03-01T09:00:00.000Z',
        idle_expires_at: '2026-03-01T09:30:00.000Z',
        expires_at: '2026-03-01T21:00:00.000Z',
        warn_after_s: 1500,
        idle_limit_s: 1800,
      },
    })
    expect((await getSession(one, key)).json()).toEqual(state)
    expect(await auditOf(one, response)).toEqual(['Admin key: session.sign_in done'])
    const { rows } = await one.ctx.pool.query(
      'select (select string_agg(s::text, $1) from sessions s) || (select string_agg(i::text, $1) from instance_settings i) as text',
      [','],
    )
    expect(rows[0].text).toContain(state.session.id)
    expect(rows[0].text).not.toContain(key)
    expect(rows[0].text).not.toContain(testAdminKey)
  })

  test('refuses a wrong key with the given words and writes it down', async () => {
    const response = await logIn(one, 'a wrong key', '198.51.100.1')
    expect(response.statusCode).toBe(401)
    expect(response.headers['content-type']).toBe('application/problem+json; charset=utf-8')
    expect(response.json()).toEqual({
      type: 'about:blank',
      title: 'Sign in first',
      status: 401,
      detail: 'Invalid admin key. Please try again.',
      code: 'unauthenticated',
      requestId: response.headers['x-request-id'],
    })
    expect(await auditOf(one, response)).toEqual(['Unknown: session.sign_in failed'])
    const attempts = await one.ctx.db
      .selectFrom('sign_in_attempts')
      .select(['succeeded', 'method'])
      .where('address', '=', '198.51.100.1')
      .execute()
    expect(attempts).toEqual([{ succeeded: false, method: 'login' }])
  })

  test.each([
    [{ key: '' }, 'key: Please enter an admin key'],
    [{ key: '   ' }, 'key: Please enter an admin key'],
    [{ key: testAdminKey, remember: true }, 'remember is not a known parameter'],
    [{}, /^key: /],
    [{ key: 'x'.repeat(513) }, /^key: /],
  ])('refuses the body %j', async (body, detail) => {
    const response = await request(one.ctx).anonymous().post('/auth/login', body)
    expect(response.statusCode).toBe(400)
    expect(response.json()).toMatchObject({ code: 'invalid_request', detail: expect.stringMatching(detail) })
  })

  test('tells the account behind the key once it is known, except in demo mode', async () => {
    const { body, ...rest } = await withAccount(() => getSession(one, testAdminKey))
    expect(rest.statusCode).toBe(200)
    expect(JSON.parse(body).stripe_account).toBeNull()
  })
})

async function withAccount<T>(work: () => Promise<T>): Promise<T> {
  const row = { id: 'acct_1', name: 'Agency', default_currency: 'usd', livemode: false, raw: '{}', fetch_seq: 1 }
  await one.ctx.db
    .insertInto('stripe_accounts')
    .values({ ...row, fetched_at: new Date() })
    .execute()
  return work()
}

describe('keys', () => {
  test.each([
    ['x-admin-key', (key: string) => ({ 'x-admin-key': key })],
    ['a bearer token', (key: string) => ({ authorization: `Bearer ${key}` })],
  ])('are taken as %s, be it a session key or the admin key', async (_name, headers) => {
    const session = await signIn(one)
    for (const key of [session, testAdminKey]) {
      const response = await request(one.ctx).anonymous().get('/auth/session', headers(key))
      expect(response.statusCode).toBe(200)
      expect(response.json().session === null).toBe(key === testAdminKey)
    }
  })

  test.each([
    ['none', {}, 'Admin key not set'],
    ['a blank one', { 'x-admin-key': '  ' }, 'Admin key not set'],
    ['an unknown session key', { 'x-admin-key': `acs_${'x'.repeat(43)}` }, 'This key is not valid. Sign in again.'],
    ['one that is too long', { 'x-admin-key': 'x'.repeat(2000) }, 'This key is not valid. Sign in again.'],
    ['another scheme', { authorization: 'Basic YTpi' }, 'This key is not valid. Sign in again.'],
  ])('%s: 401', async (_name, headers, detail) => {
    const response = await request(one.ctx).anonymous('198.51.100.2').get('/auth/session', headers)
    expect(response.statusCode).toBe(401)
    expect(response.json()).toMatchObject({ code: 'unauthenticated', detail })
  })

  test('with the admin key there is no session to keep alive or to end', async () => {
    const script = request(one.ctx).withKey(testAdminKey)
    expect((await script.post('/auth/heartbeat', {})).json()).toEqual({ idle_expires_at: null })
    expect((await script.post('/auth/logout', {})).json()).toEqual({ success: true })
    expect((await script.get('/auth/session')).statusCode).toBe(200)
  })

  test('a call labelled as JSON may have no body', async () => {
    const response = await request(one.ctx)
      .withKey(await signIn(one))
      .inject({ method: 'POST', url: '/api/auth/heartbeat', headers: { 'content-type': 'application/json' } })
    expect(response.statusCode).toBe(200)
  })
})

describe('signing out', () => {
  test('ends the session for the very next request, with its own words, in every process', async () => {
    const key = await signIn(one)
    const other = await signIn(one)
    expect((await getSession(two, key)).statusCode).toBe(200)
    const response = await request(one.ctx).withKey(key).post('/auth/logout')
    expect(response.json()).toEqual({ success: true })
    expect(await auditOf(one, response)).toEqual(['Admin key: session.sign_out done'])
    const refused = await getSession(one, key)
    expect(refused.statusCode).toBe(401)
    expect(refused.json().detail).toBe('This session was ended. Sign in again.')
    await eventually(async () => expect((await getSession(two, key)).statusCode).toBe(401))
    expect((await getSession(two, other)).statusCode).toBe(200)
  })

  test('a key that was found good is not trusted while changes are not heard', async () => {
    const key = await signIn(one)
    expect((await getSession(two, key)).statusCode).toBe(200)
    await one.ctx.pool.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'agency-console listener' and datname = current_database()",
    )
    await eventually(() => expect(two.ctx.changes.isListening()).toBe(false))
    await one.ctx.db.updateTable('sessions').set({ revoked_at: new Date() }).where('revoked_at', 'is', null).execute()
    expect((await getSession(two, key)).statusCode).toBe(401)
    await eventually(() => expect(one.ctx.changes.isListening() && two.ctx.changes.isListening()).toBe(true))
  })
})
