import { newPassword } from '@agency/contract/auth'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/context.ts'
import { acceptLink, invite, logInWithEmail, secretsEnv } from '../../../test/people.ts'

let t: TestContext
let people = 0

beforeAll(async () => {
  t = await createTestContext({ env: secretsEnv })
})
afterAll(() => t?.close())

/** Somebody chooses this password with their invitation. */
async function choose(password: string) {
  people++
  const email = `chooser-${people}@harbour.example`
  const { token } = await invite(t, { name: 'Philippa Quartermaine', email, role_id: 'support' })
  return { email, response: await acceptLink(t, token, password) }
}

describe('a password that is refused', () => {
  test.each([
    ['is short', 'k7#Qz!p', 'at least 8 characters'],
    ['is common', 'password123', 'too easy to guess'],
    ['is a row of the keyboard', 'qwertyuiop', 'too easy to guess'],
    ['repeats itself', 'aaaaaaaaaaaa', 'too easy to guess'],
    ['is the own name', 'quartermaine1', 'too easy to guess'],
    ['is part of the own address', 'harbour2026', 'too easy to guess'],
    ['is the name of the product', 'AgencyConsole1', 'too easy to guess'],
    ['is the product in two words', 'agency console', 'too easy to guess'],
    ['is the product with a hyphen and a digit', 'Agency-Console1', 'too easy to guess'],
    ['is the providers', 'stripe-cloudflare', 'too easy to guess'],
    ['is the providers, disguised', '$tr1pe_C10udflare!2026', 'too easy to guess'],
    ['is the product and the person', 'Quartermaine@AgencyConsole', 'too easy to guess'],
    ['has more than 256 characters', 'long enough '.repeat(22), '256 characters at most'],
  ])('%s', async (_name, password, words) => {
    const { response } = await choose(password)
    expect(response.statusCode).toBe(400)
    expect(response.json()).toMatchObject({ parameter: 'password' })
    expect(response.json().detail).toContain(words)
  })
})

describe('a password that is taken', () => {
  test.each([
    ['letters of one case only', 'tallquietriverlamp'],
    ['the product among other words', 'violet console tundra'],
    ['digits only', '8305271946628013'],
    ['spaces at its ends, which count', '  violet harbor tundra  '],
    ['letters of any script', 'тихая река и лампа'],
    ['200 characters', 'violet harbor tundra '.repeat(10).slice(0, 200)],
  ])('%s', async (_name, password) => {
    const { email, response } = await choose(password)
    expect([response.statusCode, response.body.slice(0, 80)]).toEqual([200, expect.stringContaining('session_key')])
    expect((await logInWithEmail(t, email, password)).statusCode).toBe(200)
    const changed = [password.trim(), password.toUpperCase(), password.slice(0, 64)].filter(
      (other) => other !== password,
    )
    for (const other of changed) expect((await logInWithEmail(t, email, other)).statusCode).toBe(401)
  })

  test('keeps what the contract says of its length', () => {
    expect(newPassword.safeParse('x'.repeat(8)).success).toBe(true)
    expect(newPassword.safeParse('x'.repeat(256)).success).toBe(true)
  })
})
