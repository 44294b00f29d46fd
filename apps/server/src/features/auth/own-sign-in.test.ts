import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/context.ts'
import { addPerson, goodPassword, logInWithEmail, secretsEnv } from '../../../test/people.ts'
import { logIn, testAdminKey } from '../../../test/sign-in.ts'
import { asSystem } from '../../context.ts'
import { ensureAdminKey } from './index.ts'

let one: TestContext

beforeAll(async () => {
  one = await createTestContext({ env: { ...secretsEnv, ADMIN_KEY: testAdminKey } })
  await ensureAdminKey(asSystem(one.ctx, 'job', 'start'))
})
afterAll(() => one?.close())

const wrongKeys = async (times: number, address: string) => {
  for (let count = 0; count < times; count++) expect((await logIn(one, 'a wrong key', address)).statusCode).toBe(401)
}

test('signing in to an account of their own does not clear the wrong admin keys from the same address', async () => {
  const address = '203.0.113.80'
  const person = await addPerson(one)
  await wrongKeys(4, address)
  expect((await logInWithEmail(one, person.email, goodPassword, address)).statusCode).toBe(200)
  await wrongKeys(1, address)
  expect((await logIn(one, testAdminKey, address)).statusCode).toBe(429)
})

test('it counts for nothing itself, and leaves no lock behind', async () => {
  const address = '203.0.113.81'
  const person = await addPerson(one)
  for (let count = 0; count < 8; count++)
    expect((await logInWithEmail(one, person.email, goodPassword, address)).statusCode).toBe(200)
  await wrongKeys(4, address)
  expect((await logInWithEmail(one, person.email, goodPassword, address)).statusCode).toBe(200)
  expect((await logIn(one, testAdminKey, address)).statusCode).toBe(200)
})
