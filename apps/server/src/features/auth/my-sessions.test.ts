import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/context.ts'
import { addPerson, freshAddress, goodPassword, logInWithEmail, secretsEnv } from '../../../test/people.ts'
import { request } from '../../../test/request.ts'
import { auditOf, getSession } from '../../../test/sign-in.ts'

let t: TestContext

beforeAll(async () => {
  t = await createTestContext({ env: secretsEnv, now: '2026-03-01T09:00:00Z' })
})
afterAll(() => t?.close())

const withKey = (key: string) => request(t.ctx).withKey(key, freshAddress())
type Listed = { id: string; is_mine: boolean }
const sessionsOf = async (key: string): Promise<Listed[]> => (await withKey(key).get('/auth/sessions')).json().sessions
const signIn = async (email: string): Promise<string> => (await logInWithEmail(t, email)).json().session_key

test('somebody sees their own sessions and no other', async () => {
  const [ada, bob] = [await addPerson(t), await addPerson(t)]
  await signIn(ada.email)
  await signIn(bob.email)
  const listed = await sessionsOf(ada.key)
  expect(listed.map(({ is_mine }) => is_mine).sort()).toEqual([false, true])
  expect((await request(t.ctx).as('super_admin').get('/auth/sessions')).json()).toEqual({ sessions: [] })
})

test('one of them ends with the password, at once; a session of somebody else does not', async () => {
  const [ada, bob] = [await addPerson(t), await addPerson(t)]
  const other = await signIn(ada.email)
  const id = (await sessionsOf(ada.key)).find(({ is_mine }) => !is_mine)?.id
  const end = (body: object) => withKey(ada.key).post('/auth/sessions/end', body)
  expect((await end({ id, password: 'a wrong one' })).json().parameter).toBe('current_password')
  expect((await getSession(t, other)).statusCode).toBe(200)
  const ended = await end({ id, password: goodPassword })
  expect(ended.json()).toEqual({ ended: 1 })
  expect(await auditOf(t, ended)).toEqual([`${ada.name}: session.revoke done`])
  expect((await getSession(t, other)).statusCode).toBe(401)
  const foreign = (await sessionsOf(bob.key))[0]?.id
  expect((await end({ id: foreign, password: goodPassword })).statusCode).toBe(404)
  expect((await getSession(t, bob.key)).statusCode).toBe(200)
})

test('all but the one that asks end together', async () => {
  const ada = await addPerson(t)
  const others = [await signIn(ada.email), await signIn(ada.email)]
  const ended = await withKey(ada.key).post('/auth/sessions/end', { password: goodPassword })
  expect(ended.json()).toEqual({ ended: 2 })
  for (const key of others) expect((await getSession(t, key)).statusCode).toBe(401)
  expect((await getSession(t, ada.key)).statusCode).toBe(200)
})
