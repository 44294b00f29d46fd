import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestContext } from '../../../test/context.ts'
import { createPerson, secretsEnv } from '../../../test/people.ts'
import { request } from '../../../test/request.ts'
import { createTwoProcesses } from '../../../test/sign-in.ts'

let one: TestContext
let two: TestContext

beforeAll(async () => {
  ;[one, two] = await createTwoProcesses(secretsEnv)
})

afterAll(async () => {
  await two?.close()
  await one?.close()
})

const addSuperAdmin = () => createPerson(one, { role: 'super_admin' })

const ways = ['deactivate', 'delete', 'demote'] as const

function remove(process: TestContext, id: string, way: (typeof ways)[number]) {
  const root = request(process.ctx).as('super_admin')
  if (way === 'delete') return root.delete(`/admin/users/${id}`)
  if (way === 'demote') return root.patch(`/admin/users/${id}`, { role_id: 'support' })
  return root.post(`/admin/users/${id}/deactivate`)
}

const superAdmins = async () => {
  const rows = await one.ctx.db
    .selectFrom('users')
    .select('id')
    .where('role_id', '=', 'super_admin')
    .where('is_active', '=', true)
    .execute()
  return rows.length
}

test('of two super admins who are removed at once, in two processes and every way, one is always left', async () => {
  const kept: number[] = []
  const refused: number[] = []
  for (let round = 0; round < 50; round++) {
    const [a, b] = [await addSuperAdmin(), await addSuperAdmin()]
    const [left, right] = await Promise.all([
      remove(one, a.id, ways[round % 3]!),
      remove(two, b.id, ways[Math.floor(round / 3) % 3]!),
    ])
    kept.push(await superAdmins())
    refused.push([left, right].filter(({ statusCode }) => statusCode === 409).length)
    expect([left.statusCode, right.statusCode].sort()).toEqual([200, 409])
    await one.ctx.db.deleteFrom('users').execute()
  }
  expect(kept).toEqual(Array(50).fill(1))
  expect(refused).toEqual(Array(50).fill(1))
})

test('two who demote each other at once leave one super admin', async () => {
  for (let round = 0; round < 20; round++) {
    const [a, b] = [await addSuperAdmin(), await addSuperAdmin()]
    const demote = (process: TestContext, key: string, id: string) =>
      request(process.ctx).withKey(key).patch(`/admin/users/${id}`, { role_id: 'support' })
    await Promise.all([demote(one, a.key, b.id), demote(two, b.key, a.id)])
    expect(await superAdmins()).toBe(1)
    await one.ctx.db.deleteFrom('users').execute()
  }
})
