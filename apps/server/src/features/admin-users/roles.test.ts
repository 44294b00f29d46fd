import type { Role } from '@agency/contract/types'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/context.ts'
import { createPerson, secretsEnv } from '../../../test/people.ts'
import { request } from '../../../test/request.ts'
import { auditOf } from '../../../test/sign-in.ts'

let t: TestContext

beforeAll(async () => {
  t = await createTestContext({ now: '2026-03-01T09:00:00Z', env: secretsEnv })
})

afterAll(() => t?.close())

const root = () => request(t.ctx).as('super_admin')
const lead = () => request(t.ctx).as(['admin.users', 'customers.read', 'customers.write'])
const list = async (): Promise<Role[]> => (await root().get('/admin/roles')).json().roles
let count = 0
const add = async (permissions: string[], more = {}): Promise<Role> => {
  const response = await root().post('/admin/roles', { display_name: `Role ${++count}`, permissions, ...more })
  expect(response.statusCode).toBe(200)
  return response.json().role
}

test('the four of the system come first, with what they hold and how many have them', async () => {
  await createPerson(t, { role: 'support' })
  await createPerson(t, { role: 'support' })
  const roles = await list()
  expect(roles.map((role) => [role.name, role.display_name, role.permissions.length, role.user_count])).toEqual([
    ['super_admin', 'Super Admin', 14, 0],
    ['admin', 'Admin', 7, 0],
    ['support', 'Support', 4, 2],
    ['readonly', 'Read Only', 1, 0],
  ])
  expect(roles.every((role) => role.is_system_role && !role.requires_second_factor)).toBe(true)
})

describe('a role of your own', () => {
  test('is added with a name that is derived from the one that people see', async () => {
    const response = await root().post('/admin/roles', {
      display_name: ' Billing clerk ',
      description: 'Sees the money',
      permissions: ['billing.read', 'billing.read', 'analytics.read'],
      requires_second_factor: true,
    })
    expect(response.json().role).toEqual({
      id: expect.any(String),
      name: 'billing_clerk',
      display_name: 'Billing clerk',
      description: 'Sees the money',
      permissions: ['billing.read', 'analytics.read'],
      user_count: 0,
      is_system_role: false,
      requires_second_factor: true,
    })
    expect(await auditOf(t, response)).toEqual(['Test super_admin: role.create done'])
    const alike = await root().post('/admin/roles', { display_name: 'Billing-clerk', permissions: [] })
    expect(alike.json().role.name).toBe('billing_clerk_2')
  })

  test('never holds what is for super admins only', async () => {
    const permissions = ['customers.read', 'admin.sql_write']
    const refused = { status: 403, detail: 'Write with SQL is for super admins only' }
    const made = await root().post('/admin/roles', { display_name: 'Query writer', permissions })
    expect({ status: made.statusCode, detail: made.json().detail }).toEqual(refused)
    const role = await add(['customers.read'])
    const changed = await root().patch(`/admin/roles/${role.id}`, { permissions })
    expect({ status: changed.statusCode, detail: changed.json().detail }).toEqual(refused)
  })

  test('changes, keeps its name for scripts, and tells in the audit log what was there before', async () => {
    const role = await add(['sites.read'])
    const response = await root().patch(`/admin/roles/${role.id}`, {
      display_name: 'Site watcher',
      permissions: ['sites.read', 'analytics.read'],
    })
    expect(response.json().role).toEqual({
      ...role,
      display_name: 'Site watcher',
      permissions: ['analytics.read', 'sites.read'],
    })
    const entry = await t.ctx.db
      .selectFrom('audit_entries')
      .select(['before', 'after'])
      .where('resource_id', '=', role.id)
      .where('action', '=', 'role.update')
      .executeTakeFirst()
    expect(entry).toEqual({
      before: { display_name: role.display_name, permissions: ['sites.read'] },
      after: { display_name: 'Site watcher', permissions: ['analytics.read', 'sites.read'] },
    })
    const again = await root().patch(`/admin/roles/${role.id}`, { permissions: ['sites.read', 'analytics.read'] })
    expect([again.statusCode, await auditOf(t, again)]).toEqual([200, []])
  })

  test('may not have a name that another has, however it is written', async () => {
    const role = await add([])
    for (const response of [
      await root().post('/admin/roles', { display_name: 'SUPER admin', permissions: [] }),
      await root().patch(`/admin/roles/${role.id}`, { display_name: 'read only' }),
    ]) {
      expect(response.statusCode).toBe(409)
      expect(response.json()).toMatchObject({ code: 'conflict', parameter: 'display_name' })
    }
  })

  test('is deleted once nobody has it', async () => {
    const role = await add(['sites.read'])
    const person = await createPerson(t, { role: role.id })
    const used = await root().delete(`/admin/roles/${role.id}`)
    expect([used.statusCode, used.json().detail]).toEqual([
      409,
      'One person has this role. Give them another one first.',
    ])
    await root().patch(`/admin/users/${person.id}`, { role_id: 'support' })
    const response = await root().delete(`/admin/roles/${role.id}`)
    expect(response.json()).toEqual({ success: true })
    expect(await auditOf(t, response)).toEqual(['Test super_admin: role.delete done'])
    expect((await list()).some(({ id }) => id === role.id)).toBe(false)
    expect((await root().delete(`/admin/roles/${role.id}`)).statusCode).toBe(404)
  })

  test('is never deleted under somebody who is given it at the same moment', async () => {
    for (let round = 0; round < 10; round++) {
      const role = await add(['sites.read'])
      const email = `racer-${round}@example.com`
      const [given, deleted] = await Promise.all([
        root().post('/admin/users', { name: 'Racer', email, role_id: role.id, send_welcome_email: false }),
        root().delete(`/admin/roles/${role.id}`),
      ])
      expect([
        [200, 409],
        [400, 200],
      ]).toContainEqual([given.statusCode, deleted.statusCode])
    }
  })

  test.each([
    [{ display_name: ' ' }, 'display_name'],
    [{ display_name: 'x'.repeat(61) }, 'display_name'],
    [{ permissions: ['customers.burn'] }, 'permissions.0'],
    [{ permissions: 'customers.read' }, 'permissions'],
    [{ is_system_role: true }, 'is_system_role'],
  ])('is refused with %j', async (wrong, parameter) => {
    const role = await add([])
    for (const response of [
      await root().post('/admin/roles', { display_name: 'Fine', permissions: [], ...wrong }),
      await root().patch(`/admin/roles/${role.id}`, wrong),
    ])
      expect([response.statusCode, response.json().parameter]).toEqual([400, parameter])
  })
})

describe('a role of the system', () => {
  test('changes only in whether it requires two-step verification', async () => {
    for (const change of [{ display_name: 'Boss' }, { description: 'x' }, { permissions: ['sites.read'] }]) {
      const refused = await root().patch('/admin/roles/support', change)
      expect([refused.statusCode, refused.json().detail]).toEqual([
        409,
        'System roles are fixed, except for two-step verification',
      ])
    }
    const changed = await root().patch('/admin/roles/readonly', { requires_second_factor: true })
    expect(changed.json().role).toMatchObject({ name: 'readonly', requires_second_factor: true })
    await root().patch('/admin/roles/readonly', { requires_second_factor: false })
  })

  test('cannot be deleted', async () => {
    const refused = await root().delete('/admin/roles/readonly')
    expect([refused.statusCode, refused.json().detail]).toEqual([409, 'A system role cannot be deleted'])
  })
})

describe('who is no super admin', () => {
  test('adds and changes roles with less than they hold', async () => {
    const added = await lead().post('/admin/roles', { display_name: 'Reader', permissions: ['customers.read'] })
    expect(added.statusCode).toBe(200)
    const { id } = added.json().role
    expect((await lead().patch(`/admin/roles/${id}`, { permissions: ['customers.write'] })).statusCode).toBe(200)
    expect((await lead().delete(`/admin/roles/${id}`)).statusCode).toBe(200)
  })

  test.each([
    ['add', 'POST', ''],
    ['change', 'PATCH', '/mine'],
  ] as const)('cannot %s a role with more than they hold', async (_name, method, path) => {
    const role = await add(['customers.read'])
    const response = await lead().inject({
      method,
      url: `/api/admin/roles${path.replace('mine', role.id)}`,
      headers: { 'content-type': 'application/json' },
      payload: JSON.stringify({ display_name: `Too much ${method}`, permissions: ['customers.read', 'billing.read'] }),
    })
    expect([response.statusCode, response.json().detail]).toEqual([
      403,
      'You cannot give permissions that you do not have: View billing',
    ])
    expect(await auditOf(t, response)).toEqual([expect.stringMatching(/^Test custom: role\.(create|update) denied$/)])
  })

  test('cannot touch a role that holds what they do not, or as much as they', async () => {
    const more = await add(['customers.read', 'billing.read'])
    const same = await add(['admin.users', 'customers.read', 'customers.write'])
    for (const id of [more.id, same.id, 'super_admin', 'admin', 'support', 'readonly'])
      for (const response of [
        await lead().patch(`/admin/roles/${id}`, { requires_second_factor: true }),
        await lead().delete(`/admin/roles/${id}`),
      ])
        expect([response.statusCode, response.json().detail]).toEqual([
          403,
          'You can only change roles with fewer permissions than yours',
        ])
  })

  test('requires two-step verification of a system role below', async () => {
    const better = request(t.ctx).as(['admin.users', 'analytics.read'])
    const response = await better.patch('/admin/roles/readonly', { requires_second_factor: true })
    expect(response.statusCode).toBe(200)
  })
})
