import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestContext } from '../../../test/context.ts'
import { eventually } from '../../../test/eventually.ts'
import { request } from '../../../test/request.ts'
import { auditOf, createTwoProcesses, getSession, logIn, signIn, testAdminKey } from '../../../test/sign-in.ts'
import { lockSecondsOf, triesPerMinute } from './lockout.ts'

const lockSeconds = lockSecondsOf.address

let one: TestContext
let two: TestContext

beforeAll(async () => {
  ;[one, two] = await createTwoProcesses()
})

afterAll(async () => {
  await two?.close()
  await one?.close()
})

const wrong = 'a wrong key'
const day = 24 * 60 * 60_000

async function failTimes(times: number, address: string): Promise<void> {
  for (let count = 0; count < times; count++) expect((await logIn(one, wrong, address)).statusCode).toBe(401)
}

/** As if that many wrong keys had come just now. */
async function pretendFailures(failures: number, address: string): Promise<void> {
  const at = new Date(one.clock.now())
  await one.ctx.db
    .insertInto('sign_in_lockouts')
    .values({ subject: address, failures, first_failure_at: at, last_failure_at: at })
    .execute()
}

describe('wrong keys', () => {
  test('lock the address after the fifth, also for the right key, in every process', async () => {
    const address = '203.0.113.1'
    const live = await signIn(one, address)
    await failTimes(4, address)
    const fifth = await logIn(two, wrong, address)
    expect(fifth.statusCode).toBe(401)
    expect(await auditOf(one, fifth)).toEqual(['Unknown: session.sign_in failed', 'Unknown: address.lock done'])
    for (const process of [one, two]) {
      const refused = await logIn(process, testAdminKey, address)
      expect(refused.statusCode).toBe(429)
      expect(refused.headers['retry-after']).toBe('60')
      expect(refused.json()).toMatchObject({
        code: 'too_many_requests',
        retryAfter: 60,
        detail: 'Too many wrong keys from this address. Try again in a minute.',
      })
    }
    expect((await getSession(one, live, address)).statusCode).toBe(200)
    expect((await logIn(one, testAdminKey, '203.0.113.2')).statusCode).toBe(200)
    one.clock.advance(60_000)
    expect((await logIn(one, testAdminKey, address)).statusCode).toBe(200)
  })

  test('lock for longer each time', async () => {
    const address = '203.0.113.3'
    await pretendFailures(6, address)
    for (const seconds of [300, 900, 1800, 3600, 3600]) {
      await failTimes(1, address)
      const refused = await logIn(one, wrong, address)
      expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, String(seconds)])
      one.clock.advance(seconds * 1000)
    }
    expect(lockSeconds.slice(0, 7)).toEqual([0, 0, 0, 0, 60, 120, 300])
  })

  test('are forgotten after the right one', async () => {
    const address = '203.0.113.4'
    await pretendFailures(4, address)
    expect((await logIn(one, testAdminKey, address)).statusCode).toBe(200)
    await failTimes(1, address)
    expect((await logIn(one, testAdminKey, address)).statusCode).toBe(200)
  })

  test('are forgotten after a day without any', async () => {
    const address = '203.0.113.5'
    await pretendFailures(4, address)
    one.clock.advance(day)
    await failTimes(1, address)
    expect((await logIn(one, testAdminKey, address)).statusCode).toBe(200)
  })

  test('are counted for the whole network of an IPv6 address', async () => {
    await pretendFailures(3, '2001:db8:5:6::/64')
    for (const host of [1, 2]) await failTimes(1, `2001:db8:5:6::${host}`)
    expect((await logIn(one, testAdminKey, '2001:db8:5:6:ffff::1')).statusCode).toBe(429)
    expect((await logIn(one, testAdminKey, '2001:db8:5:7::1')).statusCode).toBe(200)
  })

  test('at the same moment are no more guesses than one after the other', async () => {
    const address = '203.0.113.6'
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => logIn(index % 2 ? one : two, wrong, address)),
    )
    expect(answers.filter((answer) => answer.statusCode === 401)).toHaveLength(5)
    expect(answers.filter((answer) => answer.statusCode === 429)).toHaveLength(15)
  })

  test('are told to the administrators, once a day for an address', async () => {
    const address = '203.0.113.7'
    await pretendFailures(4, address)
    await failTimes(1, address)
    one.clock.advance(60_000)
    await failTimes(1, address)
    const { notifications } = (await request(one.ctx).as('super_admin').get('/notifications')).json()
    const told = notifications.filter(({ title }: { title: string }) => title === `Wrong admin keys from ${address}`)
    expect(told).toHaveLength(1)
    expect(told[0]).toMatchObject({ type: 'address.locked', severity: 'warning', link: '/admin/security' })
  })
})

describe('the API', () => {
  test('is no side door: wrong admin keys there are counted and locked out alike', async () => {
    const address = '203.0.113.8'
    const call = (key: string) => request(one.ctx).withKey(key, address).get('/auth/session')
    expect((await call(testAdminKey)).statusCode).toBe(200)
    const statuses = []
    for (let count = 0; count < 6; count++) statuses.push((await call(`${wrong}${count}`)).statusCode)
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429])
    expect((await call(testAdminKey)).statusCode).toBe(429)
    expect((await logIn(one, testAdminKey, address)).statusCode).toBe(429)
  })

  test('does not count the key of a session that ended', async () => {
    const address = '203.0.113.9'
    for (let count = 0; count < 10; count++)
      expect((await getSession(one, `acs_${'a'.repeat(43)}`, address)).statusCode).toBe(401)
    expect((await logIn(one, testAdminKey, address)).statusCode).toBe(200)
  })
})

test('an address may not sign in as often as it likes', async () => {
  const address = '203.0.113.10'
  const at = new Date(one.clock.now())
  const rows = Array.from({ length: triesPerMinute }, () => ({ at, address, method: 'login', succeeded: true }))
  await one.ctx.db.insertInto('sign_in_attempts').values(rows).execute()
  const refused = await logIn(two, testAdminKey, address)
  expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '60'])
  one.clock.advance(60_001)
  expect((await logIn(two, testAdminKey, address)).statusCode).toBe(200)
})

describe('the address', () => {
  const spoofed = { 'x-forwarded-for': '192.0.2.99' }

  test('is that of the socket, whatever a header says', async () => {
    const address = '203.0.113.11'
    await pretendFailures(4, address)
    await failTimes(1, address)
    const response = await request(one.ctx).anonymous(address).post('/auth/login', { key: testAdminKey }, spoofed)
    expect(response.statusCode).toBe(429)
  })

  test('is the forwarded one when the proxy in front is trusted', async () => {
    const [behind, other] = await createTwoProcesses({ TRUST_PROXY: '203.0.113.12' })
    try {
      const from = (address: string, key: string) =>
        request(behind.ctx).anonymous('203.0.113.12').post('/auth/login', { key }, { 'x-forwarded-for': address })
      for (let count = 0; count < 5; count++) expect((await from('192.0.2.1', wrong)).statusCode).toBe(401)
      expect((await from('192.0.2.1', testAdminKey)).statusCode).toBe(429)
      expect((await from('192.0.2.2', testAdminKey)).statusCode).toBe(200)
      // Nearest last: what the caller put before it is only a claim.
      expect((await from('192.0.2.2, 192.0.2.1', testAdminKey)).statusCode).toBe(429)
    } finally {
      await other.close()
      await behind.close()
    }
  })

  test('counts as many proxies as are said to be in front', async () => {
    const [behind, other] = await createTwoProcesses({ TRUST_PROXY: '1' })
    try {
      const from = (forwarded: string) =>
        request(behind.ctx).anonymous('10.0.0.1').post('/auth/login', { key: wrong }, { 'x-forwarded-for': forwarded })
      for (let count = 0; count < 5; count++) await from(`192.0.2.${count}, 192.0.2.50`)
      expect((await from('192.0.2.77, 192.0.2.50')).statusCode).toBe(429)
    } finally {
      await other.close()
      await behind.close()
    }
  })
})

test('a lock is heard at once by a process that knew the admin key as good', async () => {
  const address = '203.0.113.13'
  const call = () => request(two.ctx).withKey(testAdminKey, address).get('/auth/session')
  expect((await call()).statusCode).toBe(200)
  await pretendFailures(4, address)
  await failTimes(1, address)
  await eventually(async () => expect((await call()).statusCode).toBe(429))
})
