import type { AdminUser } from '@agency/contract/types'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestContext } from '../../../test/context.ts'
import { idsOf, readAllBackward, readAllForward } from '../../../test/paging.ts'
import { addPerson, goodPassword, logInWithEmail, secretsEnv, type TestPerson } from '../../../test/people.ts'
import { request } from '../../../test/request.ts'
import { createTwoProcesses, signIn } from '../../../test/sign-in.ts'

let t: TestContext
let two: TestContext
let ann: TestPerson
let zoe: TestPerson
const minute = 60_000

beforeAll(async () => {
  ;[t, two] = await createTwoProcesses(secretsEnv)
  ann = await addPerson(t, { name: 'Ann Archer', email: 'ann@agency.example', role: 'admin' })
  zoe = await addPerson(t, { name: 'zoe Zimmer', email: 'zoe@agency.example', role: 'readonly' })
  await addPerson(t, { name: 'Bob 100%_', email: 'bob@other.example', role: 'support' })
  t.clock.advance(minute)
  await request(t.ctx)
    .as('super_admin')
    .post('/admin/users', { name: 'Cleo', email: 'cleo@agency.example', role_id: 'support' })
})

afterAll(async () => {
  await two?.close()
  await t?.close()
})

const get = async (path: string) => (await request(t.ctx).as(['admin.users']).get(path)).json()
const names = async (query: string) => ((await get(`/admin/users?${query}`)).users as AdminUser[]).map((u) => u.name)

test('shows everybody by name, with role, state and what the role gives', async () => {
  const { users, has_more, total } = await get('/admin/users')
  expect(users.map((user: AdminUser) => user.name)).toEqual(['Ann Archer', 'Bob 100%_', 'Cleo', 'zoe Zimmer'])
  expect([has_more, total]).toEqual([false, 4])
  expect(users[3]).toEqual({
    id: zoe.id,
    email: 'zoe@agency.example',
    name: 'zoe Zimmer',
    role: 'readonly',
    role_id: 'readonly',
    role_name: 'Read Only',
    permissions: ['analytics.read'],
    is_active: true,
    created_at: '2026-03-01T09:00:00Z',
    updated_at: '2026-03-01T09:00:00Z',
    last_login_at: '2026-03-01T09:00:00Z',
    login_count: 1,
    created_by: 'Test super_admin',
    last_activity: '2026-03-01T09:00:00Z',
    online: true,
    second_factor: { enabled: false, required: false },
    password: 'own',
    open_link: null,
    locked_reason: 'You can only change people with fewer permissions than yours',
  })
  expect(users[2]).toMatchObject({
    password: 'none',
    last_login_at: null,
    last_activity: null,
    online: false,
    open_link: { kind: 'invitation', created_at: '2026-03-01T09:01:00Z', expires_at: '2026-03-08T09:01:00Z' },
  })
})

test.each([
  ['search=ANN', ['Ann Archer']],
  ['search=agency.example', ['Ann Archer', 'Cleo', 'zoe Zimmer']],
  ['search=%25_', ['Bob 100%_']],
  ['search=nobody', []],
  ['role=support', ['Bob 100%_', 'Cleo']],
  ['role=support&search=cleo', ['Cleo']],
  ['status=inactive', []],
  ['status=active&role=admin', ['Ann Archer']],
  ['status=all&sort=-name&limit=2', ['zoe Zimmer', 'Cleo']],
  ['sort=-created_at&limit=1', ['Cleo']],
  ['sort=last_login_at&limit=1', ['Cleo']],
])('%s', async (query, expected) => {
  expect(await names(query)).toEqual(expected)
})

test('says how many match, not how many there are', async () => {
  expect(await get('/admin/users?role=support&limit=1')).toMatchObject({ total: 2, has_more: true })
})

test.each(['name', '-name', 'created_at', '-last_login_at'])(
  'pages by %s come together without a gap',
  async (sort) => {
    const path = `/admin/users?sort=${sort}`
    const whole = idsOf((await get(path)).users)
    expect(await readAllForward(get, `${path}&limit=1`, 'users')).toEqual(whole)
    const last = whole.at(-1)!
    expect([...(await readAllBackward(get, `${path}&limit=1`, 'users', last)), last]).toEqual(whole)
  },
)

test.each([
  ['sort=email', 'sort'],
  ['status=away', 'status'],
  ['limit=0', 'limit'],
  ['starting_after=nobody', 'starting_after'],
  ['page=2', 'page'],
])('refuses %s', async (query, parameter) => {
  const response = await request(t.ctx).as(['admin.users']).get(`/admin/users?${query}`)
  expect(response.statusCode).toBe(400)
  expect(response.json()).toMatchObject({ code: 'invalid_request', parameter })
})

describe('online now', () => {
  const online = async () => (await get('/admin/users')).summary.online

  test('counts people once and the admin key by its sessions, for five minutes after the last activity', async () => {
    const start = t.clock.now()
    expect((await get('/admin/users')).summary).toEqual({ total: 4, active: 4, roles: 4, online: 3 })
    const second = (await logInWithEmail(t, ann.email)).json().session_key
    expect(await online()).toBe(3)
    await signIn(t, '10.9.9.1')
    await signIn(t, '10.9.9.2')
    expect(await online()).toBe(5)
    t.clock.set(start + 4.5 * minute)
    expect(await online()).toBe(3)
    t.clock.set(start + 5 * minute)
    expect(await online()).toBe(0)
    await request(t.ctx).withKey(second).get('/auth/session')
    expect(await online()).toBe(0)
    await request(t.ctx).withKey(second).post('/auth/heartbeat', {})
    expect(await online()).toBe(1)
    await request(t.ctx).withKey(second).post('/auth/logout')
    expect(await online()).toBe(0)
  })

  test('does not count who has not completed the sign-in', async () => {
    await request(t.ctx)
      .as('super_admin')
      .post('/admin/users', { name: 'Dora', email: 'dora@agency.example', temporary_password: goodPassword })
    const before = await online()
    expect((await logInWithEmail(t, 'dora@agency.example')).json().stage).toBe('new_password')
    expect(await online()).toBe(before)
  })
})

describe('one person', () => {
  const reasonsOf = async (id: string) => {
    const { effective_permissions } = await get(`/admin/users/${id}`)
    return Object.fromEntries(
      (effective_permissions as { permission: string; granted: boolean; reason: string }[]).map((one) => [
        one.permission,
        `${one.granted ? 'yes' : 'no'}: ${one.reason}`,
      ]),
    )
  }

  test('is told with what they may do and why', async () => {
    const reasons = await reasonsOf(zoe.id)
    expect(Object.keys(reasons)).toHaveLength(14)
    expect(reasons).toMatchObject({
      'analytics.read': 'yes: By the role Read Only',
      'admin.system': 'no: Not in the role Read Only',
    })
    const root = await addPerson(t, { role: 'super_admin' })
    expect(new Set(Object.values(await reasonsOf(root.id)))).toEqual(
      new Set(['yes: Super admins have all permissions']),
    )
    await request(t.ctx).as('super_admin').post(`/admin/users/${zoe.id}/deactivate`)
    expect(new Set(Object.values(await reasonsOf(zoe.id)))).toEqual(new Set(['no: The account is not active']))
  })

  test('is told with the sessions that are live, and on which device', async () => {
    const eve = await addPerson(t, { name: 'Eve' })
    const response = await request(t.ctx)
      .anonymous('10.8.8.8')
      .post(
        '/auth/login/email',
        { email: eve.email, password: goodPassword },
        { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' },
      )
    const { sessions } = await get(`/admin/users/${eve.id}`)
    expect(sessions).toHaveLength(2)
    expect(sessions.find(({ address }: { address: string }) => address === '10.8.8.8')).toEqual({
      id: response.json().session.id,
      created_at: new Date(t.clock.now()).toISOString(),
      last_activity_at: new Date(t.clock.now()).toISOString(),
      address: '10.8.8.8',
      device: 'Firefox on Linux',
    })
    await request(t.ctx).withKey(eve.key).post('/auth/logout')
    expect((await get(`/admin/users/${eve.id}`)).sessions).toHaveLength(1)
    t.clock.advance(30 * minute)
    expect((await get(`/admin/users/${eve.id}`)).sessions).toEqual([])
  })

  test.each(['', '/removal'])('who does not exist is not found%s', async (path) => {
    const response = await request(t.ctx).as(['admin.users']).get(`/admin/users/nobody${path}`)
    expect([response.statusCode, response.json().code]).toEqual([404, 'not_found'])
  })
})

test('the permissions tab names every permission and the roles that hold it', async () => {
  const { permissions } = await get('/admin/permissions')
  expect(permissions).toHaveLength(14)
  expect(permissions[0]).toEqual({
    id: 'customers.read',
    name: 'View customers',
    category: 'Customers',
    description: 'See customers and export them',
    roles: ['Super Admin', 'Admin', 'Support'],
  })
})
