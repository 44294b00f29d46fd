import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/context.ts'
import { eventually } from '../../../test/eventually.ts'
import { secretsEnv } from '../../../test/people.ts'
import { request } from '../../../test/request.ts'
import { auditOf, getSession, logIn } from '../../../test/sign-in.ts'
import { asSystem } from '../../context.ts'
import { ensureAdminKey } from '../auth/index.ts'

let one: TestContext
let two: TestContext
let adminKey: string

beforeAll(async () => {
  one = await createTestContext({ env: secretsEnv })
  two = await createTestContext({ env: secretsEnv, database: one.database, clock: one.clock })
  adminKey = (await ensureAdminKey(asSystem(one.ctx, 'job', 'start'))) ?? ''
})
afterAll(async () => {
  await two?.close()
  await one?.close()
})

const rotate = '/admin/security/admin-key/rotate'
const signIn = async (): Promise<string> => (await logIn(one, adminKey)).json().session_key
const statusOf = async (key: string, test = one) => (await getSession(test, key)).statusCode

test('a new key holds in every process; the old one and its sessions do not, but for the one that asks', async () => {
  const [mine, other] = [await signIn(), await signIn()]
  expect([await statusOf(adminKey, two), await statusOf(other, two)]).toEqual([200, 200])
  const rotated = await request(one.ctx).withKey(mine).post(rotate)
  const { key, ended_sessions } = rotated.json()
  expect(key).toMatch(/^([a-hj-km-np-z2-9]{8}-){6}[a-hj-km-np-z2-9]{8}$/)
  expect(ended_sessions).toBe(1)
  expect(await auditOf(one, rotated)).toEqual(['Admin key: admin_key.replace done', 'Admin key: session.revoke done'])
  expect([await statusOf(mine), await statusOf(other), await statusOf(adminKey)]).toEqual([200, 401, 401])
  for (const dead of [other, adminKey]) await eventually(async () => expect(await statusOf(dead, two)).toBe(401))
  expect((await logIn(two, key)).statusCode).toBe(200)
  const { rows } = await one.ctx.pool.query(`select string_agg(e::text, ' ') as all from audit_entries e`)
  expect(rows[0].all).not.toContain(key)
  adminKey = key
})

test('only a super admin may make or switch off what acts as one', async () => {
  const lesser = request(one.ctx).as(['admin.system'])
  expect((await lesser.get('/admin/security/admin-key')).json().cannot_rotate_reason).toBe(
    'Only a super admin can change the admin key',
  )
  const refused = await lesser.post(rotate)
  expect(refused.json()).toMatchObject({ status: 403, code: 'forbidden' })
  expect(await auditOf(one, refused)).toEqual(['Test custom: admin_key.replace denied'])
  expect((await lesser.post('/admin/security/admin-key/disable')).json()).toMatchObject({ status: 403 })
  expect(await statusOf(adminKey)).toBe(200)
})
