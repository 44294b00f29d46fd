import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/context.ts'
import {
  acceptLink,
  addPerson,
  enrol,
  goodPassword,
  invite,
  logInWithEmail,
  mailsTo,
  secretsEnv,
  type TestPerson,
  tokenOf,
} from '../../../test/people.ts'
import { request } from '../../../test/request.ts'
import { auditOf, getSession } from '../../../test/sign-in.ts'

const other = 'maple-orbit-cactus-93'
const day = 24 * 60 * 60_000

let t: TestContext

beforeAll(async () => {
  t = await createTestContext({
    now: '2026-03-01T09:00:00Z',
    env: { ...secretsEnv, PUBLIC_URL: 'https://console.example.com' },
  })
})

afterAll(() => t?.close())

const root = () => request(t.ctx).as('super_admin')
const show = async (id: string) => (await root().get(`/admin/users/${id}`)).json().user
const isOut = async ({ key }: TestPerson) => (await getSession(t, key)).statusCode === 401

const lastEntry = async (id: string) =>
  t.ctx.db
    .selectFrom('audit_entries')
    .select(['action', 'before', 'after', 'outcome'])
    .where('resource_id', '=', id)
    .where('resource_type', '=', 'user')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()

describe('name, email and role', () => {
  test('change, with what was there before in the audit log', async () => {
    const person = await addPerson(t, { name: 'Old Name', email: 'old@example.com' })
    const response = await root().patch(`/admin/users/${person.id}`, {
      name: 'New Name',
      email: 'NEW@example.com',
      role_id: 'readonly',
    })
    expect(response.json().user).toMatchObject({ name: 'New Name', email: 'new@example.com', role: 'readonly' })
    expect(await lastEntry(person.id)).toEqual({
      action: 'user.update',
      outcome: 'done',
      before: { name: 'Old Name', email: 'old@example.com', role: 'support' },
      after: { name: 'New Name', email: 'new@example.com', role: 'readonly' },
    })
    expect((await logInWithEmail(t, 'old@example.com')).statusCode).toBe(401)
    expect((await logInWithEmail(t, 'New@Example.com')).statusCode).toBe(200)
  })

  test('what is so already leaves no entry', async () => {
    const person = await addPerson(t)
    const response = await root().patch(`/admin/users/${person.id}`, { name: person.name, role_id: 'support' })
    expect(response.statusCode).toBe(200)
    expect(await auditOf(t, response)).toEqual([])
  })

  test('a new address voids the link that was sent to the old one', async () => {
    const { user, token } = await invite(t, { name: 'Typo', email: 'tpyo@example.com', role_id: 'support' })
    await root().patch(`/admin/users/${user.id}`, { email: 'typo@example.com' })
    expect((await show(user.id)).open_link).toBeNull()
    expect((await acceptLink(t, token)).statusCode).toBe(404)
  })

  test('an address that somebody else has is refused', async () => {
    const [one, two] = [await addPerson(t), await addPerson(t)]
    const response = await root().patch(`/admin/users/${one.id}`, { name: 'Kept', email: two.email })
    expect([response.statusCode, response.json().parameter]).toEqual([409, 'email'])
    expect((await show(one.id)).name).toBe(one.name)
  })

  test.each([
    [{ name: '' }, 'name'],
    [{ email: 'x' }, 'email'],
    [{ role_id: 'owner' }, 'role_id'],
    [{ is_active: false }, 'is_active'],
  ])('refuses %j', async (body, parameter) => {
    const person = await addPerson(t)
    const response = await root().patch(`/admin/users/${person.id}`, body)
    expect([response.statusCode, response.json().parameter]).toEqual([400, parameter])
  })
})

describe('deactivating', () => {
  test('ends all sessions and open links; activating lets the person in again, the old sessions not', async () => {
    const person = await addPerson(t)
    await logInWithEmail(t, person.email)
    expect((await root().get(`/admin/users/${person.id}/removal`)).json()).toEqual({ live_sessions: 2, api_keys: [] })
    const response = await root().post(`/admin/users/${person.id}/deactivate`)
    expect(response.json()).toMatchObject({ user: { is_active: false }, ended_sessions: 2 })
    expect(await auditOf(t, response)).toEqual(['Test super_admin: user.deactivate done'])
    expect(await isOut(person)).toBe(true)
    expect((await logInWithEmail(t, person.email)).statusCode).toBe(401)
    expect((await root().post(`/admin/users/${person.id}/activate`)).json()).toMatchObject({
      user: { is_active: true },
      ended_sessions: 0,
    })
    expect(await isOut(person)).toBe(true)
    expect((await logInWithEmail(t, person.email)).statusCode).toBe(200)
  })

  test('of somebody invited makes the invitation useless for good', async () => {
    const { user, token } = await invite(t, { name: 'Late', email: 'late@example.com', role_id: 'support' })
    await root().post(`/admin/users/${user.id}/deactivate`)
    await root().post(`/admin/users/${user.id}/activate`)
    expect((await acceptLink(t, token)).statusCode).toBe(404)
  })

  test.each(['activate', 'deactivate'])('%s twice changes nothing more', async (verb) => {
    const person = await addPerson(t)
    await root().post(`/admin/users/${person.id}/${verb}`)
    const again = await root().post(`/admin/users/${person.id}/${verb}`)
    expect([again.statusCode, again.json().ended_sessions, await auditOf(t, again)]).toEqual([200, 0, []])
  })
})

describe('deleting', () => {
  test('ends sessions, says which API keys die, and keeps the history', async () => {
    const person = await addPerson(t, { name: 'Gone Soon', role: 'super_admin' })
    await addPerson(t, { role: 'super_admin' })
    const key = { key_prefix: 'agc_x', permissions: ['sites.read'], created_at: new Date(), created_by: person.id }
    await t.ctx.db
      .insertInto('api_keys')
      .values([
        { ...key, id: 'good', name: 'Good', key_hash: Buffer.from('1'), created_by_name: person.name },
        { ...key, id: 'over', name: 'Over', key_hash: Buffer.from('2'), created_by_name: '', expires_at: new Date(0) },
        { ...key, id: 'void', name: 'Void', key_hash: Buffer.from('3'), created_by_name: '', revoked_at: new Date(0) },
      ])
      .execute()
    expect((await root().get(`/admin/users/${person.id}/removal`)).json()).toEqual({
      live_sessions: 1,
      api_keys: [{ id: 'good', name: 'Good' }],
    })
    const response = await root().delete(`/admin/users/${person.id}`)
    expect(response.json()).toEqual({ success: true, ended_sessions: 1, dead_api_keys: 1 })
    expect(await lastEntry(person.id)).toMatchObject({
      action: 'user.delete',
      before: { name: 'Gone Soon', email: person.email, role: 'super_admin', is_active: true },
    })
    expect(await isOut(person)).toBe(true)
    expect((await root().get(`/admin/users/${person.id}`)).statusCode).toBe(404)
    expect((await root().delete(`/admin/users/${person.id}`)).statusCode).toBe(404)
    // Their address is free again.
    expect((await addPerson(t, { email: person.email })).id).not.toBe(person.id)
  })
})

describe('resetting a password', () => {
  test('with a link: the old password and all sessions are over, the link is good for a day and once', async () => {
    const person = await addPerson(t)
    const response = await root().post(`/admin/users/${person.id}/reset-password`, {})
    expect(response.json()).toMatchObject({
      user: { password: 'none', open_link: { kind: 'password_reset' } },
      mail: 'kept',
      link_expires_at: new Date(t.clock.now() + day).toISOString(),
    })
    expect(await isOut(person)).toBe(true)
    expect((await logInWithEmail(t, person.email)).statusCode).toBe(401)
    expect((await mailsTo(t, person.email)).at(-1)).toMatchObject({
      kind: 'user.password_reset',
      text: expect.stringContaining(response.json().link),
    })
    expect((await acceptLink(t, tokenOf(response), other)).json().stage).toBe('open')
    expect((await acceptLink(t, tokenOf(response), other)).statusCode).toBe(404)
    expect((await logInWithEmail(t, person.email, goodPassword)).statusCode).toBe(401)
    expect((await logInWithEmail(t, person.email, other)).statusCode).toBe(200)
  })

  test('with a temporary password: it is all that counts, and has to be replaced', async () => {
    const person = await addPerson(t)
    const response = await root().post(`/admin/users/${person.id}/reset-password`, {
      temporary_password: other,
      send_email: false,
    })
    expect(response.json()).toMatchObject({ user: { password: 'temporary' }, mail: 'none', link: null })
    expect(await isOut(person)).toBe(true)
    expect((await logInWithEmail(t, person.email)).statusCode).toBe(401)
    expect((await logInWithEmail(t, person.email, other)).json().stage).toBe('new_password')
    const entry = await lastEntry(person.id)
    expect(entry).toMatchObject({
      action: 'user.reset_password',
      after: { by: 'temporary password', ended_sessions: 1 },
    })
  })

  test('a temporary password takes the place of an open link', async () => {
    const { user, token } = await invite(t, { name: 'Both', email: 'both@example.com', role_id: 'support' })
    await root().post(`/admin/users/${user.id}/reset-password`, { temporary_password: other })
    expect((await acceptLink(t, token)).statusCode).toBe(404)
    expect(await show(user.id)).toMatchObject({ password: 'temporary', open_link: null })
  })

  test('is refused for who was deactivated, and by link for who has none yet', async () => {
    const { user } = await invite(t, { name: 'Nia', email: 'nia@example.com', role_id: 'support' })
    const early = await root().post(`/admin/users/${user.id}/reset-password`, {})
    expect([early.statusCode, early.json().detail]).toEqual([
      409,
      'Nia has no password yet. Make a new invitation instead.',
    ])
    await root().post(`/admin/users/${user.id}/deactivate`)
    for (const path of ['reset-password', 'invitation']) {
      const refused = await root().post(`/admin/users/${user.id}/${path}`, {})
      expect([refused.statusCode, refused.json().detail]).toEqual([
        409,
        'Nia is not active. Activate the account first.',
      ])
    }
  })
})

describe('an invitation', () => {
  test('that is renewed replaces the one before', async () => {
    const { user, token } = await invite(t, { name: 'Slow', email: 'slow@example.com', role_id: 'support' })
    t.clock.advance(6 * day)
    const response = await root().post(`/admin/users/${user.id}/invitation`)
    expect(response.json()).toMatchObject({ mail: 'kept', user: { open_link: { kind: 'invitation' } } })
    expect(response.json().link_expires_at).toBe(new Date(t.clock.now() + 7 * day).toISOString())
    expect((await acceptLink(t, token)).statusCode).toBe(404)
    t.clock.advance(6 * day)
    expect((await acceptLink(t, tokenOf(response))).statusCode).toBe(200)
    const late = await root().post(`/admin/users/${user.id}/invitation`)
    expect(late.json().detail).toBe('Slow has a password already. Reset it instead.')
  })

  test('that is revoked is useless; revoking again changes nothing', async () => {
    const { user, token } = await invite(t, { name: 'Not now', email: 'not-now@example.com', role_id: 'support' })
    const response = await root().delete(`/admin/users/${user.id}/link`)
    expect(response.json().user.open_link).toBeNull()
    expect(await auditOf(t, response)).toEqual(['Test super_admin: link.revoke done'])
    expect((await acceptLink(t, token)).statusCode).toBe(404)
    expect(await auditOf(t, await root().delete(`/admin/users/${user.id}/link`))).toEqual([])
  })
})

test('a lost second factor is removed, with its recovery codes and all sessions', async () => {
  const person = await addPerson(t)
  const none = await root().post(`/admin/users/${person.id}/reset-second-factor`)
  expect([none.statusCode, none.json().code]).toEqual([409, 'conflict'])
  const { recoveryCodes } = await enrol(t, person.key, goodPassword)
  expect((await show(person.id)).second_factor.enabled).toBe(true)
  const response = await root().post(`/admin/users/${person.id}/reset-second-factor`)
  expect(response.json()).toMatchObject({ user: { second_factor: { enabled: false } }, ended_sessions: 1 })
  expect(await auditOf(t, response)).toEqual(['Test super_admin: second_factor.reset done'])
  expect(await isOut(person)).toBe(true)
  const back = await logInWithEmail(t, person.email)
  expect(back.json().stage).toBe('open')
  const late = await request(t.ctx)
    .withKey(back.json().session_key)
    .post('/auth/second-factor', { code: recoveryCodes[0] })
  expect(late.statusCode).toBe(409)
})

test.each([
  ['PATCH', ''],
  ['DELETE', ''],
  ['DELETE', '/link'],
  ['POST', '/activate'],
  ['POST', '/deactivate'],
  ['POST', '/reset-password'],
  ['POST', '/reset-second-factor'],
  ['POST', '/invitation'],
] as const)('%s /admin/users/nobody%s: not found', async (method, path) => {
  const response = await root().inject({
    method,
    url: `/api/admin/users/nobody${path}`,
    headers: { 'content-type': 'application/json' },
    ...(method !== 'DELETE' && { payload: '{}' }),
  })
  expect([response.statusCode, response.json().code]).toEqual([404, 'not_found'])
})
