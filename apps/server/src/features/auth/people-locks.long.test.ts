import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestContext } from '../../../test/context.ts'
import { addPerson, freshAddress, goodPassword, logInWithEmail, secretsEnv } from '../../../test/people.ts'
import { request } from '../../../test/request.ts'
import { auditOf, createTwoProcesses, getSession, logIn, testAdminKey } from '../../../test/sign-in.ts'
import { triesBeforeLock as triesBefore } from './lockout.ts'

let one: TestContext
let two: TestContext

beforeAll(async () => {
  ;[one, two] = await createTwoProcesses(secretsEnv)
})

afterAll(async () => {
  await two?.close()
  await one?.close()
})

const lockedText = 'Too many wrong keys for this account. Try again in a minute.'
const triesBeforeLock = triesBefore.account

/** Each from an address of its own. */
async function failTimes(times: number, email: string): Promise<void> {
  for (let count = 0; count < times; count++)
    expect((await logInWithEmail(count % 2 ? two : one, email, 'a wrong password')).statusCode).toBe(401)
}

describe('wrong passwords from many addresses', () => {
  test('lock the account after the tenth, also for the right one, in every process, and nobody else', async () => {
    const person = await addPerson(one)
    const other = await addPerson(one)
    await failTimes(triesBeforeLock - 1, person.email)
    const last = await logInWithEmail(one, person.email, 'a wrong password')
    expect(triesBeforeLock).toBe(10)
    expect(await auditOf(one, last)).toEqual(['Unknown: session.sign_in failed', 'Unknown: account.lock done'])
    for (const process of [one, two]) {
      const refused = await logInWithEmail(process, person.email.toUpperCase())
      expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '60'])
      expect(refused.json()).toMatchObject({ code: 'too_many_requests', detail: lockedText })
    }
    expect((await getSession(one, person.key)).statusCode).toBe(200)
    expect((await logInWithEmail(one, other.email)).statusCode).toBe(200)
    one.clock.advance(60_000)
    expect((await logInWithEmail(one, person.email)).statusCode).toBe(200)
  })

  test('lock an account that does not exist just so, and store nothing of what was typed', async () => {
    const typed = 'my-secret-password-in-the-wrong-field'
    await failTimes(triesBeforeLock, typed)
    const refused = await logInWithEmail(one, typed)
    expect([refused.statusCode, refused.json().detail]).toEqual([429, lockedText])
    const { rows } = await one.ctx.pool.query(
      `select (select string_agg(l::text, ',') from sign_in_lockouts l) || (select string_agg(a::text, ',') from audit_entries a)
         || (select string_agg(s::text, ',') from sign_in_attempts s) as text`,
    )
    expect(rows[0].text).toContain('account:')
    expect(rows[0].text).not.toContain(typed)
  })

  test('lock for longer each time, to a quarter of an hour', async () => {
    const person = await addPerson(one)
    await failTimes(triesBeforeLock, person.email)
    for (const seconds of [60, 120, 300, 900, 900]) {
      const refused = await logInWithEmail(one, person.email)
      expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, String(seconds)])
      one.clock.advance(seconds * 1000)
      await failTimes(1, person.email)
    }
  })

  test('are forgotten with the right one', async () => {
    const person = await addPerson(one)
    await failTimes(triesBeforeLock - 1, person.email)
    expect((await logInWithEmail(one, person.email)).statusCode).toBe(200)
    await failTimes(triesBeforeLock - 1, person.email)
    expect((await logInWithEmail(one, person.email)).statusCode).toBe(200)
  })
})

test('a new password of an administrator ends the lock', async () => {
  const person = await addPerson(one)
  await failTimes(triesBeforeLock, person.email)
  expect((await logInWithEmail(one, person.email)).statusCode).toBe(429)
  await request(one.ctx).as('super_admin').post(`/admin/users/${person.id}/reset-password`, {
    temporary_password: 'maple-orbit-cactus-93',
    send_email: false,
  })
  expect((await logInWithEmail(one, person.email, 'maple-orbit-cactus-93')).json().stage).toBe('new_password')
})

test('tries at a locked account do not lock the address of whoever makes them', async () => {
  const person = await addPerson(one)
  const address = freshAddress()
  await failTimes(triesBeforeLock, person.email)
  for (let count = 0; count < 12; count++)
    expect((await logInWithEmail(one, person.email, goodPassword, address)).json().detail).toBe(lockedText)
  expect((await logIn(one, testAdminKey, address)).statusCode).toBe(200)
})

test('tries from a locked address do not bring the account nearer to a lock', async () => {
  const person = await addPerson(one)
  const address = freshAddress()
  for (let count = 0; count < 5; count++)
    expect((await logInWithEmail(one, person.email, 'a wrong password', address)).statusCode).toBe(401)
  for (let count = 0; count < 20; count++) {
    const refused = await logInWithEmail(one, person.email, 'a wrong password', address)
    expect(refused.json().detail).toMatch(/^Too many wrong keys from this address/)
  }
  expect((await logInWithEmail(one, person.email)).statusCode).toBe(200)
})
