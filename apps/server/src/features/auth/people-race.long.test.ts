import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestContext } from '../../../test/context.ts'
import { eventually } from '../../../test/eventually.ts'
import { acceptLink, addPerson, goodPassword, invite, logInWithEmail, secretsEnv } from '../../../test/people.ts'
import { request } from '../../../test/request.ts'
import { createTwoProcesses, getSession } from '../../../test/sign-in.ts'

const rounds = 20

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

test('a sign-in that is under way while the password is taken away never leaves a session', async () => {
  const person = await addPerson(one)
  for (let round = 0; round < rounds; round++) {
    const [signIn, reset] = await Promise.all([
      logInWithEmail(two, person.email, round === 0 ? undefined : `tall-lamp-quartz-${round - 1}`),
      root().post(`/admin/users/${person.id}/reset-password`, {
        temporary_password: `tall-lamp-quartz-${round}`,
        send_email: false,
      }),
    ])
    expect(reset.statusCode).toBe(200)
    if (signIn.statusCode !== 200) continue
    const { session_key: key } = signIn.json()
    await eventually(async () => expect((await getSession(two, key)).statusCode).toBe(401))
  }
})

test('a password that is chosen while an administrator takes it away does not stay', async () => {
  const own = 'violet-window-saturn-11'
  const temporary = 'tall-lamp-quartz-77'
  for (let round = 0; round < rounds; round++) {
    const person = await addPerson(one)
    const [, reset] = await Promise.all([
      request(two.ctx).withKey(person.key).post('/auth/password', { current_password: goodPassword, password: own }),
      // In the midst of it: the other compares and hashes twice.
      new Promise((resolve) => setTimeout(resolve, round * 10)).then(() =>
        root().post(`/admin/users/${person.id}/reset-password`, { temporary_password: temporary, send_email: false }),
      ),
    ])
    expect(reset.statusCode).toBe(200)
    expect((await logInWithEmail(one, person.email, own)).statusCode).toBe(401)
    expect((await logInWithEmail(one, person.email, temporary)).json().stage).toBe('new_password')
  }
})

test('activity in many tabs and an end by an administrator at once: nobody waits for the other for ever', async () => {
  for (let round = 0; round < rounds; round++) {
    const person = await addPerson(one)
    const beat = (process: TestContext) => request(process.ctx).withKey(person.key).post('/auth/heartbeat', {})
    const answers = await Promise.all([
      ...Array.from({ length: 6 }, (_, index) => beat(index % 2 ? two : one)),
      root().post(`/admin/users/${person.id}/deactivate`),
      ...Array.from({ length: 6 }, (_, index) => beat(index % 2 ? two : one)),
    ])
    expect(answers[6]?.statusCode).toBe(200)
    expect(answers.filter(({ statusCode }) => statusCode !== 200 && statusCode !== 401)).toEqual([])
    await eventually(async () => expect((await getSession(two, person.key)).statusCode).toBe(401))
  }
})

test('a link that is used and revoked at once does one of the two', async () => {
  for (let round = 0; round < rounds; round++) {
    const { user, token } = await invite(one, {
      name: 'Racer',
      email: `racer-${round}@example.com`,
      role_id: 'support',
    })
    const [accepted, deactivated] = await Promise.all([
      acceptLink(two, token),
      root().post(`/admin/users/${user.id}/deactivate`),
    ])
    expect(deactivated.statusCode).toBe(200)
    expect([200, 404]).toContain(accepted.statusCode)
    if (accepted.statusCode !== 200) continue
    const { session_key: key } = accepted.json()
    await eventually(async () => expect((await getSession(two, key)).statusCode).toBe(401))
  }
})
