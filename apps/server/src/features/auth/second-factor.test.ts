import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { TestContext } from '../../../test/context.ts'
import { eventually } from '../../../test/eventually.ts'
import {
  addPerson,
  codeOf,
  enrol,
  freshAddress,
  goodPassword,
  logInWithEmail,
  secretsEnv,
  type TestPerson,
} from '../../../test/people.ts'
import { request } from '../../../test/request.ts'
import { auditOf, createTwoProcesses, getSession } from '../../../test/sign-in.ts'

const step = 30_000
const wrongCode = 'This code is not valid. Wait for the next code and try again.'

let one: TestContext
let two: TestContext

beforeAll(async () => {
  ;[one, two] = await createTwoProcesses(secretsEnv)
})

afterAll(async () => {
  await two?.close()
  await one?.close()
})

const root = () => request(one.ctx).as('super_admin')
const withKey = (key: string) => request(one.ctx).withKey(key, freshAddress())
const give = (key: string, code: string) => withKey(key).post('/auth/second-factor', { code })
const now = () => one.clock.now()

async function signInHalf({ email }: TestPerson): Promise<string> {
  const response = await logInWithEmail(one, email)
  expect(response.json()).toMatchObject({ stage: 'second_factor', actor: { permissions: [] } })
  return response.json().session_key
}

describe('setting up an authenticator app', () => {
  test('counts from the first code on, tells ten recovery codes once and ends the other sessions', async () => {
    const person = await addPerson(one)
    const other = (await logInWithEmail(one, person.email)).json().session_key
    expect((await getSession(two, person.key)).statusCode).toBe(200)
    const begun = await withKey(person.key).post('/auth/enrolment', { password: goodPassword })
    const { secret, uri } = begun.json()
    expect(secret).toMatch(/^[A-Z2-7]{32}$/)
    const address = new URL(uri)
    expect([address.protocol, address.host, address.searchParams.get('secret')]).toEqual(['otpauth:', 'totp', secret])
    expect(decodeURIComponent(address.pathname)).toContain(person.email)
    // Until then the password alone signs in.
    expect((await logInWithEmail(one, person.email)).json().stage).toBe('open')
    const confirmed = await withKey(person.key).post('/auth/enrolment/confirm', { code: codeOf(secret, now()) })
    const codes: string[] = confirmed.json().recovery_codes
    expect(new Set(codes).size).toBe(10)
    expect(await auditOf(one, confirmed)).toEqual([`${person.name}: second_factor.enable done`])
    expect((await getSession(one, other)).statusCode).toBe(401)
    for (const process of [one, two])
      await eventually(async () => expect((await getSession(process, person.key)).statusCode).toBe(401))
    const state = (await getSession(one, confirmed.json().session_key)).json()
    expect(state).toMatchObject({
      stage: 'open',
      user: { second_factor: { enabled: true, required: false, recovery_codes_left: 10 } },
    })
    const { rows } = await one.ctx.pool.query(
      `select (select string_agg(u::text, ',') from users u) || (select string_agg(c::text, ',') from recovery_codes c)
         || (select string_agg(a::text, ',') from audit_entries a) as text`,
    )
    for (const told of [secret, ...codes, ...codes.map((code) => code.replaceAll('-', ''))])
      expect(rows[0].text).not.toContain(told)
  })

  test('asks for the password again, and for a right code', async () => {
    const { key } = await addPerson(one)
    for (const body of [{}, undefined, { password: 'a wrong one' }]) {
      const refused = await withKey(key).post('/auth/enrolment', body)
      expect([refused.statusCode, refused.json().parameter]).toEqual([400, 'current_password'])
    }
    const early = await withKey(key).post('/auth/enrolment/confirm', { code: '123456' })
    expect([early.statusCode, early.json().detail]).toEqual([409, 'Start the setup first'])
    const { secret } = (await withKey(key).post('/auth/enrolment', { password: goodPassword })).json()
    const old = await withKey(key).post('/auth/enrolment/confirm', { code: codeOf(secret, now() - 10 * step) })
    expect([old.statusCode, old.json().detail]).toEqual([400, wrongCode])
    const letters = await withKey(key).post('/auth/enrolment/confirm', { code: 'abcdef' })
    expect(letters.json().detail).toContain('Enter the six-digit code from the app')
    expect((await withKey(key).get('/auth/session')).json().user.second_factor.enabled).toBe(false)
  })

  test('is not begun again while one is on', async () => {
    const person = await addPerson(one)
    const { key } = await enrol(one, person.key, goodPassword)
    const again = await withKey(key).post('/auth/enrolment', { password: goodPassword })
    expect([again.statusCode, again.json().detail]).toEqual([
      409,
      'Two-step verification is already on. Turn it off first.',
    ])
  })
})

describe('signing in with a second factor', () => {
  let person: TestPerson
  let secret: string
  let recoveryCodes: string[]

  beforeEach(async () => {
    person = await addPerson(one)
    ;({ secret, recoveryCodes } = await enrol(one, person.key, goodPassword))
    // The code of the enrolment itself is used up.
    one.clock.advance(2 * step)
  })

  test('gives nothing before the code, and a new key with it', async () => {
    const key = await signInHalf(person)
    const half = await withKey(key).get('/stripe/customers')
    expect([half.statusCode, half.json().code]).toEqual([403, 'sign_in_incomplete'])
    const full = await give(key, codeOf(secret, now()))
    expect(full.json()).toMatchObject({ stage: 'open', actor: { id: person.id, role: 'support' } })
    expect(full.json().session_key).not.toBe(key)
    expect(await auditOf(one, full)).toEqual([`${person.name}: session.second_factor done`])
    expect((await withKey(full.json().session_key).get('/stripe/customers')).statusCode).toBe(200)
    for (const process of [one, two])
      await eventually(async () => expect((await getSession(process, key)).statusCode).toBe(401))
  })

  test('takes a code once, also of two who give it at the same moment', async () => {
    const keys = [await signInHalf(person), await signInHalf(person), await signInHalf(person)]
    const code = codeOf(secret, now())
    const both = await Promise.all([give(keys[0]!, code), give(keys[1]!, code)])
    expect(both.map(({ statusCode }) => statusCode).sort()).toEqual([200, 400])
    const late = await give(keys[2]!, code)
    expect([late.statusCode, late.json().detail]).toEqual([400, wrongCode])
    // Nor an older one, although a clock may be that far off.
    expect((await give(keys[2]!, codeOf(secret, now() - step))).statusCode).toBe(400)
    one.clock.advance(step)
    expect((await give(keys[2]!, codeOf(secret, now()))).statusCode).toBe(200)
  })

  test.each([
    ['one step behind', -1, 200],
    ['one step ahead', 1, 200],
    ['two steps behind', -2, 400],
    ['two steps ahead', 2, 400],
  ])('answers the code of a phone whose clock is %s', async (_name, steps, status) => {
    one.clock.advance(4 * step)
    expect((await give(await signInHalf(person), codeOf(secret, now() + steps * step))).statusCode).toBe(status)
  })

  test('takes each recovery code once, however it is typed', async () => {
    const [first = '', second = ''] = recoveryCodes
    const full = await give(await signInHalf(person), ` ${first.toUpperCase().replaceAll('-', ' ')} `)
    expect(full.json()).toMatchObject({ stage: 'open', user: { second_factor: { recovery_codes_left: 9 } } })
    const key = await signInHalf(person)
    expect((await give(key, first)).statusCode).toBe(400)
    expect((await give(key, second)).statusCode).toBe(200)
  })

  test('locks after ten wrong codes, from wherever they come', async () => {
    const key = await signInHalf(person)
    for (let count = 0; count < 10; count++) expect((await give(key, '000000')).statusCode).toBe(400)
    const refused = await give(key, codeOf(secret, now()))
    expect([refused.statusCode, refused.json().code]).toEqual([429, 'too_many_requests'])
    // Whoever does not know the password cannot lock anybody out of the second step; a new sign-in stays locked too.
    expect((await give(await signInHalf(person), recoveryCodes[0]!)).statusCode).toBe(429)
    one.clock.advance(60_000)
    expect((await give(await signInHalf(person), codeOf(secret, now()))).statusCode).toBe(200)
  })

  test('new recovery codes want password and factor, replace the old ones and end the other sessions', async () => {
    const other = (await give(await signInHalf(person), codeOf(secret, now()))).json().session_key
    one.clock.advance(30_000)
    const key = (await give(await signInHalf(person), codeOf(secret, now()))).json().session_key
    one.clock.advance(30_000)
    const renew = (body: object) => withKey(key).post('/auth/recovery-codes', body)
    expect((await renew({ password: goodPassword })).statusCode).toBe(400)
    expect((await renew({ password: 'a wrong one', code: codeOf(secret, now()) })).statusCode).toBe(400)
    const wrong = await renew({ password: goodPassword, code: '000000' })
    expect([wrong.statusCode, wrong.json().parameter]).toEqual([400, 'code'])
    expect((await withKey(other).get('/auth/session')).statusCode).toBe(200)
    const renewed = await renew({ password: goodPassword, code: codeOf(secret, now()) })
    expect(renewed.json().recovery_codes).toHaveLength(10)
    expect(renewed.json().ended_sessions).toBeGreaterThan(0)
    expect((await withKey(other).get('/auth/session')).statusCode).toBe(401)
    expect((await withKey(key).get('/auth/session')).statusCode).toBe(200)
    expect((await give(await signInHalf(person), recoveryCodes[3]!)).statusCode).toBe(400)
    expect((await give(await signInHalf(person), renewed.json().recovery_codes[3])).statusCode).toBe(200)
  })

  test('is switched off with password and factor, unless the role requires it; the other sessions end', async () => {
    const other = (await give(await signInHalf(person), codeOf(secret, now()))).json().session_key
    one.clock.advance(30_000)
    const key = (await give(await signInHalf(person), recoveryCodes[5]!)).json().session_key
    const remove = (body: object) => withKey(key).post('/auth/second-factor/remove', body)
    const code = codeOf(secret, now())
    expect((await remove({ password: 'a wrong one', code })).statusCode).toBe(400)
    expect((await remove({ password: goodPassword, code: '000000' })).statusCode).toBe(400)
    await root().patch('/admin/roles/support', { requires_second_factor: true })
    const required = await remove({ password: goodPassword, code })
    expect([required.statusCode, required.json().detail]).toEqual([409, 'Your role requires two-step verification'])
    await root().patch('/admin/roles/support', { requires_second_factor: false })
    expect((await remove({ password: goodPassword, code })).json()).toMatchObject({ success: true })
    expect((await withKey(other).get('/auth/session')).statusCode).toBe(401)
    expect((await logInWithEmail(one, person.email)).json().stage).toBe('open')
  })
})

describe('a role that comes to require a second factor', () => {
  const set = (requires: boolean) => root().patch('/admin/roles/admin', { requires_second_factor: requires })

  test('holds at once for live sessions, in every process, and until the app is set up', async () => {
    const person = await addPerson(one, { role: 'admin' })
    const { key } = person
    for (const process of [one, two])
      expect((await request(process.ctx).withKey(key).get('/stripe/payments')).statusCode).toBe(200)
    await set(true)
    const refused = await withKey(key).get('/stripe/payments')
    expect([refused.statusCode, refused.json().code]).toEqual([403, 'sign_in_incomplete'])
    await eventually(async () =>
      expect((await request(two.ctx).withKey(key).get('/stripe/payments')).statusCode).toBe(403),
    )
    expect((await withKey(key).get('/auth/session')).json()).toMatchObject({
      stage: 'enrolment',
      actor: { permissions: [] },
      user: { second_factor: { enabled: false, required: true } },
    })
    // The password was given when the session began.
    const enrolled = await enrol(one, key)
    expect((await withKey(enrolled.key).get('/stripe/payments')).statusCode).toBe(200)
    await set(false)
  })

  test('is asked for at the next sign-in, after a temporary password was replaced', async () => {
    const email = 'both-steps@example.com'
    await set(true)
    await root().post('/admin/users', {
      ...{ name: 'Both', email, role_id: 'admin', temporary_password: goodPassword, send_welcome_email: false },
    })
    const first = (await logInWithEmail(one, email)).json()
    expect(first.stage).toBe('new_password')
    const chosen = await withKey(first.session_key).post('/auth/first-password', { password: 'maple-orbit-cactus-93' })
    expect(chosen.json()).toMatchObject({ stage: 'enrolment', actor: { permissions: [] } })
    expect((await withKey(chosen.json().session_key).get('/stripe/payments')).statusCode).toBe(403)
    const { key } = await enrol(one, chosen.json().session_key)
    expect((await withKey(key).get('/stripe/payments')).statusCode).toBe(200)
    await set(false)
  })

  test('and then not any more lets go on whoever was stopped by it', async () => {
    const person = await addPerson(one, { role: 'admin' })
    await set(true)
    const { session_key: key, stage } = (await logInWithEmail(one, person.email)).json()
    expect(stage).toBe('enrolment')
    await set(false)
    expect((await withKey(key).get('/stripe/payments')).statusCode).toBe(200)
    expect((await withKey(person.key).get('/stripe/payments')).statusCode).toBe(200)
  })
})

test('a second factor that an administrator removed is gone, and can be set up anew', async () => {
  const person = await addPerson(one)
  const { secret, key } = await enrol(one, person.key, goodPassword)
  await root().post(`/admin/users/${person.id}/reset-second-factor`)
  expect((await getSession(one, key)).statusCode).toBe(401)
  const back = (await logInWithEmail(one, person.email)).json()
  expect(back.stage).toBe('open')
  const anew = await enrol(one, back.session_key, goodPassword)
  expect(anew.secret).not.toBe(secret)
})
