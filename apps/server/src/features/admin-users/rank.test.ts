import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestContext } from '../../../test/context.ts'
import { addPerson, createPerson, goodPassword, secretsEnv, type TestPerson } from '../../../test/people.ts'
import { request } from '../../../test/request.ts'
import { auditOf, createTwoProcesses, testAdminKey } from '../../../test/sign-in.ts'

let t: TestContext
let two: TestContext
/** Holds what support holds, and may manage people. */
let lead: TestPerson
let peer: TestPerson
let leadRole: string

beforeAll(async () => {
  ;[t, two] = await createTwoProcesses(secretsEnv)
  const role = await root().post('/admin/roles', {
    display_name: 'Team lead',
    permissions: ['admin.users', 'customers.read', 'sites.read', 'support.read', 'support.write'],
  })
  leadRole = role.json().role.id
  lead = await createPerson(t, { role: leadRole })
  peer = await createPerson(t, { role: leadRole })
})

afterAll(async () => {
  await two?.close()
  await t?.close()
})

const root = () => request(t.ctx).as('super_admin')
const as = ({ key }: TestPerson) => request(t.ctx).withKey(key)

type Attempt = readonly [what: string, method: 'PATCH' | 'POST' | 'DELETE', path: string, body?: object]

const attempts: Attempt[] = [
  ['update', 'PATCH', '', { name: 'Somebody else' }],
  ['give another role', 'PATCH', '', { role_id: 'support' }],
  ['deactivate', 'POST', '/deactivate'],
  ['activate', 'POST', '/activate'],
  ['reset the password of', 'POST', '/reset-password', { temporary_password: goodPassword }],
  ['reset the second factor of', 'POST', '/reset-second-factor'],
  ['renew the invitation of', 'POST', '/invitation'],
  ['revoke the link of', 'DELETE', '/link'],
  ['delete', 'DELETE', ''],
]

const named = attempts.map((what) => ({ name: what[0], what }))

function attempt(key: string, id: string, [, method, path, body]: Attempt) {
  return request(t.ctx)
    .withKey(key)
    .inject({
      method,
      url: `/api/admin/users/${id}${path}`,
      ...(body && { headers: { 'content-type': 'application/json' }, payload: JSON.stringify(body) }),
    })
}

describe('who is no super admin', () => {
  test.each(named)('cannot $name an equal or a better, and the attempt is written down', async ({ what }) => {
    const better = await createPerson(t, { role: 'super_admin' })
    const aside = await createPerson(t, { role: 'readonly' })
    for (const target of [peer, better, aside]) {
      const before = (await root().get(`/admin/users/${target.id}`)).json().user
      const response = await attempt(lead.key, target.id, what)
      expect(response.statusCode).toBe(403)
      expect(response.json().detail).toBe('You can only change people with fewer permissions than yours')
      expect(await auditOf(t, response)).toEqual([expect.stringMatching(`^${lead.name}: [a-z_]+\\.[a-z_]+ denied$`)])
      expect((await root().get(`/admin/users/${target.id}`)).json().user).toEqual(before)
    }
  })

  test.each(named)('cannot $name themselves here', async ({ what }) => {
    const response = await attempt(lead.key, lead.id, what)
    expect([response.statusCode, response.json().detail]).toEqual([403, 'You cannot change your own account here'])
  })

  test('changes those below, up to what they hold themselves', async () => {
    const person = await createPerson(t, { role: 'support' })
    const locked = async () => (await as(lead).get(`/admin/users/${person.id}`)).json().user.locked_reason
    expect(await locked()).toBeNull()
    expect((await as(lead).patch(`/admin/users/${person.id}`, { name: 'Renamed' })).statusCode).toBe(200)
    const given = await as(lead).patch(`/admin/users/${person.id}`, { role_id: 'admin' })
    expect([given.statusCode, given.json().detail]).toEqual([
      403,
      'You cannot give permissions that you do not have: Edit customers, Edit sites, View billing, Manage billing, View analytics',
    ])
    expect((await as(lead).patch(`/admin/users/${person.id}`, { role_id: leadRole })).statusCode).toBe(200)
    expect(await locked()).toBe('You can only change people with fewer permissions than yours')
  })

  test('loses that right with the next request after the role lost it', async () => {
    const role = await root().post('/admin/roles', {
      display_name: 'Briefly in charge',
      permissions: ['admin.users', 'analytics.read'],
    })
    const { id } = role.json().role
    const person = await createPerson(t, { role: id })
    expect((await as(person).get('/admin/users')).statusCode).toBe(200)
    await root().patch(`/admin/roles/${id}`, { permissions: ['analytics.read'] })
    const refused = await as(person).get('/admin/users')
    expect([refused.statusCode, refused.json().permission]).toEqual([403, 'admin.users'])
  })
})

describe('a super admin', () => {
  test.each([
    ['deactivate yourself', 'POST', '/deactivate', undefined],
    ['delete yourself', 'DELETE', '', undefined],
    ['change your own role', 'PATCH', '', { role_id: 'support' }],
    ['reset your own password here: change it in your profile', 'POST', '/reset-password', {}],
    [
      'reset your own two-step verification here: turn it off in your profile',
      'POST',
      '/reset-second-factor',
      undefined,
    ],
  ] as const)('cannot do this to themselves: %s', async (what, method, path, body) => {
    const self = await createPerson(t, { role: 'super_admin' })
    const response = await request(t.ctx)
      .withKey(self.key)
      .inject({
        method,
        url: `/api/admin/users/${self.id}${path}`,
        ...(body && { headers: { 'content-type': 'application/json' }, payload: JSON.stringify(body) }),
      })
    expect([response.statusCode, response.json().detail]).toEqual([409, `You cannot ${what}`])
    expect((await as(self).get('/auth/session')).json().actor.role).toBe('super_admin')
  })

  test('changes their own name and address, and other super admins', async () => {
    const self = await createPerson(t, { role: 'super_admin' })
    const other = await createPerson(t, { role: 'super_admin' })
    expect((await as(self).patch(`/admin/users/${self.id}`, { name: 'Me' })).json().user.name).toBe('Me')
    expect((await as(self).get('/auth/session')).json().actor.name).toBe('Me')
    expect((await as(self).patch(`/admin/users/${other.id}`, { role_id: 'admin' })).statusCode).toBe(200)
  })
})

describe('the last super admin who can sign in', () => {
  const last = async () => {
    await t.ctx.db.deleteFrom('users').where('role_id', '=', 'super_admin').execute()
    return addPerson(t, { role: 'super_admin', name: 'Last One' })
  }
  const words = 'Last One is the last super admin who can sign in. Make someone else a super admin first.'

  test.each([
    ['deactivated', 'POST', '/deactivate', undefined],
    ['deleted', 'DELETE', '', undefined],
    ['demoted', 'PATCH', '', { role_id: 'support' }],
    ['left with a link only', 'POST', '/reset-password', {}],
  ] as const)('cannot be %s, not with the admin key either', async (_name, method, path, body) => {
    const person = await last()
    const [waiting, expired, inactive] = [
      await addPerson(t, { role: 'super_admin' }),
      await addPerson(t, { role: 'super_admin' }),
      await addPerson(t, { role: 'super_admin' }),
    ]
    // None of these could take the place.
    await t.ctx.db.updateTable('users').set({ password_hash: null }).where('id', '=', waiting.id).execute()
    await t.ctx.db
      .updateTable('users')
      .set({ temporary_password_expires_at: new Date(t.clock.now()) })
      .where('id', '=', expired.id)
      .execute()
    await t.ctx.db.updateTable('users').set({ is_active: false }).where('id', '=', inactive.id).execute()
    const response = await request(t.ctx)
      .withKey(testAdminKey)
      .inject({
        method,
        url: `/api/admin/users/${person.id}${path}`,
        ...(body && { headers: { 'content-type': 'application/json' }, payload: JSON.stringify(body) }),
      })
    expect([response.statusCode, response.json().detail]).toEqual([409, words])
    expect((await as(person).get('/auth/session')).statusCode).toBe(200)
    for (const other of [waiting, expired, inactive])
      expect((await request(t.ctx).withKey(testAdminKey).delete(`/admin/users/${other.id}`)).statusCode).toBe(200)
  })

  test('may be renamed, given a temporary password and replaced', async () => {
    const person = await last()
    const admin = request(t.ctx).withKey(testAdminKey)
    expect((await admin.patch(`/admin/users/${person.id}`, { name: 'Last Two' })).statusCode).toBe(200)
    const reset = await admin.post(`/admin/users/${person.id}/reset-password`, { temporary_password: goodPassword })
    expect(reset.statusCode).toBe(200)
    await addPerson(t, { role: 'super_admin' })
    expect((await admin.delete(`/admin/users/${person.id}`)).statusCode).toBe(200)
  })
})
