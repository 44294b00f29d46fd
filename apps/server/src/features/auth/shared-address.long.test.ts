import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestContext } from '../../../test/context.ts'
import { addPerson, freshAddress, goodPassword, secretsEnv } from '../../../test/people.ts'
import { request } from '../../../test/request.ts'
import { createTwoProcesses, testAdminKey } from '../../../test/sign-in.ts'
import { triesBeforeLock } from './lockout.ts'

let one: TestContext
let two: TestContext

beforeAll(async () => {
  ;[one, two] = await createTwoProcesses(secretsEnv)
})
afterAll(async () => {
  await two?.close()
  await one?.close()
})

/** Everybody who comes through this address; a proxy says for whom, if it says anything. */
function behind(address: string, client?: string) {
  const from = request(one.ctx).anonymous(address)
  const headers: Record<string, string> = client === undefined ? {} : { 'x-forwarded-for': client }
  const statusOf = async (path: string, body: object) => (await from.post(path, body, headers)).statusCode
  return {
    key: (key: string) => statusOf('/auth/login', { key }),
    email: (email: string, password: string = goodPassword) => statusOf('/auth/login/email', { email, password }),
  }
}

async function repeat(times: number, act: (count: number) => Promise<number>): Promise<number[]> {
  const answers: number[] = []
  for (let count = 0; count < times; count++) answers.push(await act(count))
  return answers
}
const many = (status: number, times: number) => Array<number>(times).fill(status)

describe('people who share an address', () => {
  test('are not locked by wrong admin keys from there, which lock the admin key', async () => {
    const from = behind(freshAddress())
    const person = await addPerson(one)
    expect(await repeat(5, () => from.key('a wrong key'))).toEqual(many(401, 5))
    expect(await from.key(testAdminKey)).toBe(429)
    expect(await from.email(person.email)).toBe(200)
  })

  test('are not locked by the wrong passwords of one of them', async () => {
    const from = behind(freshAddress())
    const [person, other] = [await addPerson(one), await addPerson(one)]
    expect(await repeat(5, () => from.email(person.email, 'a wrong one'))).toEqual(many(401, 5))
    expect(await from.email(person.email)).toBe(429)
    expect(await from.email(other.email)).toBe(200)
    expect(await from.key(testAdminKey)).toBe(200)
  })

  test('have to wait once somebody guesses at many accounts from there', async () => {
    const from = behind(freshAddress())
    const person = await addPerson(one)
    const guesses = await repeat(triesBeforeLock.everything, (count) => from.email(`nobody-${count}@a.example`, 'x'))
    expect(guesses).toEqual(many(401, triesBeforeLock.everything))
    expect(await from.email(person.email)).toBe(429)
  })

  test('do not add up to a lock with the mistakes of a day that the right password followed', async () => {
    const from = behind(freshAddress())
    const people = [await addPerson(one), await addPerson(one)]
    for (let round = 0; round < 8; round++)
      for (const { email } of people) {
        expect(await repeat(3, () => from.email(email, 'a wrong one'))).toEqual(many(401, 3))
        expect(await from.email(email)).toBe(200)
      }
    expect(await from.key(testAdminKey)).toBe(200)
  })
})

describe('a proxy that is not trusted', () => {
  test('does not lock the admin key for others when one of its clients is locked', async () => {
    const proxy = freshAddress()
    const [guesser, owner] = [behind(proxy, '192.0.2.1'), behind(proxy, '10.9.9.9, 192.0.2.2')]
    expect(await repeat(5, () => guesser.key('a wrong key'))).toEqual(many(401, 5))
    expect(await guesser.key(testAdminKey)).toBe(429)
    expect(await owner.key(testAdminKey)).toBe(200)
    expect(await behind(proxy, '10.9.9.9, 192.0.2.1').key(testAdminKey)).toBe(429)
  })

  test('has a bound for all of its clients, whom anybody may invent', async () => {
    const proxy = freshAddress()
    const invented = (count: number) => behind(proxy, `198.51.100.${count}`)
    const at = new Date(one.clock.now())
    const counted = { subject: `${proxy} as proxy`, failures: triesBeforeLock.proxy - 2 }
    const guesses = [await invented(1).key('a wrong key')]
    await one.ctx.db
      .updateTable('sign_in_lockouts')
      .set({ ...counted, last_failure_at: at })
      .where('subject', '=', counted.subject)
      .execute()
    guesses.push(...(await repeat(2, (count) => invented(2 + count).key('a wrong key'))))
    expect(guesses).toEqual(many(401, 3))
    expect(await invented(250).key(testAdminKey)).toBe(429)
    one.clock.advance(60_000)
    expect(await invented(251).key('a wrong key')).toBe(401)
    expect(await invented(250).key(testAdminKey)).toBe(429)
    one.clock.advance(60_000)
    expect(await invented(250).key(testAdminKey)).toBe(200)
  })

  test('gives nobody a way out of the lock of their own address', async () => {
    const address = freshAddress()
    expect(await repeat(5, () => behind(address).key('a wrong key'))).toEqual(many(401, 5))
    expect(await behind(address, '192.0.2.7').key(testAdminKey)).toBe(429)
  })
})
