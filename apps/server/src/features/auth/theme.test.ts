import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/context.ts'
import { addPerson, freshAddress, logInWithEmail, secretsEnv } from '../../../test/people.ts'
import { request } from '../../../test/request.ts'
import { getSession } from '../../../test/sign-in.ts'

let t: TestContext

beforeAll(async () => {
  t = await createTestContext({ env: secretsEnv, now: '2026-03-01T09:00:00Z' })
})
afterAll(() => t?.close())

const choose = (key: string, theme: string) =>
  request(t.ctx).withKey(key, freshAddress()).inject({ method: 'PUT', url: '/api/auth/theme', payload: { theme } })
const themeOf = async (key: string) => (await getSession(t, key)).json().user.theme

test('the theme of a person is theirs on every device, and nobody else has it', async () => {
  const [ada, bob] = [await addPerson(t), await addPerson(t)]
  expect(await themeOf(ada.key)).toBe('system')
  expect((await choose(ada.key, 'dark')).json()).toEqual({ theme: 'dark' })
  const elsewhere = (await logInWithEmail(t, ada.email)).json()
  expect(elsewhere.user.theme).toBe('dark')
  expect(await themeOf(ada.key)).toBe('dark')
  expect(await themeOf(bob.key)).toBe('system')
})

test('refuses another word, and whoever is no person', async () => {
  const ada = await addPerson(t)
  expect((await choose(ada.key, 'sepia')).json()).toMatchObject({ status: 400, parameter: 'theme' })
  const byKey = await request(t.ctx)
    .as('super_admin')
    .inject({ method: 'PUT', url: '/api/auth/theme', payload: { theme: 'dark' } })
  expect(byKey.statusCode).toBe(409)
})
