import type { AuditEntry } from '@agency/contract/types'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/context.ts'
import { readAllForward } from '../../../test/paging.ts'
import { addPerson, secretsEnv, type TestPerson } from '../../../test/people.ts'
import { request } from '../../../test/request.ts'

let t: TestContext
let boss: TestPerson
let newcomer: TestPerson

beforeAll(async () => {
  t = await createTestContext({ now: '2026-03-01T09:00:00Z', env: secretsEnv })
  boss = await addPerson(t, { name: 'Bea Boss', role: 'super_admin' })
  newcomer = await addPerson(t, { name: 'New Comer' })
  const caller = request(t.ctx).withKey(boss.key)
  await caller.patch(`/admin/users/${newcomer.id}`, { role_id: 'readonly' })
  await caller.post('/admin/roles', { display_name: 'Clerk', permissions: [] })
  // Nothing of these belongs to people.
  await t.ctx.pool.query(
    `insert into audit_entries (at, actor_type, actor_id, actor_name, action, resource_type, outcome)
     values ('2026-03-01T09:00:00Z', 'user', $1, 'Bea Boss', 'payment.refund', 'payment', 'done')`,
    [boss.id],
  )
})

afterAll(() => t?.close())

const get = async (query: string) =>
  (await request(t.ctx).as(['admin.users']).get(`/admin/users-activity?${query}`)).json()
const told = (entries: AuditEntry[]) => entries.map((entry) => `${entry.user_name}: ${entry.action}`)

test('tells what was done with people, roles and sessions, newest first', async () => {
  const { entries, has_more } = await get('limit=100')
  expect(has_more).toBe(false)
  expect(told(entries).slice(0, 2)).toEqual(['Bea Boss: role.create', 'Bea Boss: user.update'])
  expect(told(entries)).toContain('New Comer: invitation.accept')
  expect(told(entries)).not.toContain('Bea Boss: payment.refund')
  expect(entries[1]).toMatchObject({
    resource: 'user',
    resource_id: newcomer.id,
    details: expect.stringContaining('New Comer'),
  })
})

test('of one person only, a page at a time', async () => {
  const { entries } = await get(`user=${boss.id}&limit=100`)
  expect(new Set(entries.map((entry: AuditEntry) => entry.user_name))).toEqual(new Set(['Bea Boss']))
  const pages = await readAllForward(
    async (path) => (await request(t.ctx).as(['admin.users']).get(path)).json(),
    `/admin/users-activity?user=${boss.id}&limit=2`,
    'entries',
  )
  expect(pages).toEqual(entries.map((entry: AuditEntry) => entry.id))
})

test.each(['limit=0', 'starting_after=nothing', 'role=admin'])('refuses %s', async (query) => {
  expect((await get(query)).status).toBe(400)
})
