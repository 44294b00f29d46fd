import { afterAll, beforeEach, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/context.ts'
import { createPerson, createRole, invite } from '../../../test/people.ts'
import { request } from '../../../test/request.ts'

let t: TestContext

beforeEach(async () => {
  await t?.close()
  t = await createTestContext({ now: '2026-03-01T09:00:00Z' })
})
afterAll(() => t?.close())

async function person(name: string, role: string, lastActivity: string | null = null): Promise<string> {
  const { id, key } = await createPerson(t, { role })
  await t.ctx.db.updateTable('users').set({ name, last_activity_at: lastActivity }).where('id', '=', id).execute()
  return key
}

const ask = async (key: string, permission = 'billing.read') =>
  (await request(t.ctx).withKey(key).get(`/auth/administrators?permission=${permission}`)).json()

test('names whose role can give the permission, who was there last first, and nobody else', async () => {
  const asking = await person('Asking Person', 'support')
  expect(await ask(asking)).toEqual({ names: [], others: 0 })
  const keeper = await createRole(t, ['admin.users', 'billing.read'])
  await person('Kim Keeper', keeper, '2026-02-27T09:00:00Z')
  await person('Sara Super', 'super_admin', '2026-02-28T09:00:00Z')
  // Manages people but cannot give what they lack; holds it but manages nobody.
  await person('Paul Partial', await createRole(t, ['admin.users']))
  await person('Ada Admin', 'admin')
  expect(await ask(asking)).toEqual({ names: ['Sara Super', 'Kim Keeper'], others: 0 })
  expect(await ask(asking, 'admin.system')).toEqual({ names: ['Sara Super'], others: 0 })
})

test('leaves out whoever is inactive, was never here or asks, and counts those after the third', async () => {
  const own = await person('Own Name', 'super_admin')
  for (const name of ['Dora', 'Carl', 'Bea', 'Abe', 'Eve']) await person(name, 'super_admin')
  await t.ctx.db.updateTable('users').set({ is_active: false }).where('name', '=', 'Eve').execute()
  await invite(t, { name: 'Aaron Invited', email: 'aaron@example.com', role_id: 'super_admin' })
  expect(await ask(own)).toEqual({ names: ['Abe', 'Bea', 'Carl'], others: 1 })
})

test('tells an API key nobody, and refuses what is no permission', async () => {
  const owner = await person('Sara Super', 'super_admin')
  const made = await request(t.ctx)
    .withKey(owner)
    .post('/admin/api-keys', { name: 'Script', permissions: ['billing.read'] })
  expect(await ask(made.json().key)).toEqual({ names: [], others: 0 })
  const wrong = await request(t.ctx).as('support').get('/auth/administrators?permission=everything')
  expect(wrong.json()).toMatchObject({ status: 400, parameter: 'permission' })
  expect((await request(t.ctx).anonymous().get('/auth/administrators?permission=billing.read')).statusCode).toBe(401)
})
