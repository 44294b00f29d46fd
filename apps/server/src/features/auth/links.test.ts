import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/context.ts'
import {
  acceptLink,
  addPerson,
  enrol,
  freshAddress,
  goodPassword,
  invite,
  logInWithEmail,
  secretsEnv,
  tokenOf,
} from '../../../test/people.ts'
import { request } from '../../../test/request.ts'
import { auditOf, getSession } from '../../../test/sign-in.ts'

const other = 'maple-orbit-cactus-93'
const day = 24 * 60 * 60_000
const useless = 'This link was used, has expired or was replaced. Ask an administrator for a new one.'

let t: TestContext

beforeAll(async () => {
  t = await createTestContext({ now: '2026-03-01T09:00:00Z', env: secretsEnv })
})

afterAll(() => t?.close())

const root = () => request(t.ctx).as('super_admin')
const inspect = (token: string) => request(t.ctx).anonymous(freshAddress()).post('/auth/links/inspect', { token })
const reset = (id: string) => root().post(`/admin/users/${id}/reset-password`, { send_email: false })

let count = 0
const inviteOne = (name = 'Ivy') => invite(t, { name, email: `invited-${++count}@example.com`, role_id: 'support' })

test('an invitation says for whom it is, and signs in whoever chooses a password', async () => {
  const { user, token } = await inviteOne('Ivy Invited')
  const shown = { kind: 'invitation', email: `invited-${count}@example.com`, name: 'Ivy Invited' }
  expect((await inspect(token)).json()).toEqual({ ...shown, expires_at: '2026-03-08T09:00:00.000Z' })
  // Looking does not use it up.
  expect((await inspect(token)).statusCode).toBe(200)
  const accepted = await acceptLink(t, token)
  expect(accepted.json()).toMatchObject({
    stage: 'open',
    actor: { id: user.id, role: 'support' },
    session_key: expect.stringMatching(/^acs_/),
  })
  expect(await auditOf(t, accepted)).toEqual([
    'Ivy Invited: invitation.accept done',
    'Ivy Invited: session.sign_in done',
  ])
  expect((await getSession(t, accepted.json().session_key)).statusCode).toBe(200)
  expect((await root().get(`/admin/users/${user.id}`)).json().user).toMatchObject({
    password: 'own',
    open_link: null,
    login_count: 1,
  })
})

test('a link is good once, also for many at the same moment', async () => {
  const { token } = await inviteOne()
  const answers = await Promise.all(Array.from({ length: 8 }, () => acceptLink(t, token)))
  expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
  expect(answers.filter(({ statusCode }) => statusCode === 404)).toHaveLength(7)
  for (const response of [await inspect(token), await acceptLink(t, token)])
    expect([response.statusCode, response.json().detail]).toEqual([404, useless])
})

test.each([
  ['was revoked', async (id: string) => void (await root().delete(`/admin/users/${id}/link`))],
  ['was replaced', async (id: string) => void (await root().post(`/admin/users/${id}/invitation`))],
  [
    'is of somebody who was deactivated',
    async (id: string) => void (await root().post(`/admin/users/${id}/deactivate`)),
  ],
  ['is of somebody who was deleted', async (id: string) => void (await root().delete(`/admin/users/${id}`))],
])('a link that %s is useless', async (_name, happens) => {
  const { user, token } = await inviteOne()
  await happens(user.id)
  for (const response of [await inspect(token), await acceptLink(t, token)])
    expect([response.statusCode, response.json().detail]).toEqual([404, useless])
})

test('an invitation lasts seven days, a reset one', async () => {
  const start = t.clock.now()
  const { token } = await inviteOne()
  const person = await addPerson(t)
  const resetToken = tokenOf(await reset(person.id))
  const statuses = async () => [(await inspect(token)).statusCode, (await inspect(resetToken)).statusCode]
  t.clock.set(start + day - 1)
  expect(await statuses()).toEqual([200, 200])
  t.clock.set(start + day)
  expect(await statuses()).toEqual([200, 404])
  t.clock.set(start + 7 * day - 1)
  expect(await statuses()).toEqual([200, 404])
  t.clock.set(start + 7 * day)
  expect(await statuses()).toEqual([404, 404])
  expect((await acceptLink(t, token)).statusCode).toBe(404)
  t.clock.set(start)
})

test('a reset keeps the second factor: a mailbox alone does not let anybody in', async () => {
  const person = await addPerson(t)
  await enrol(t, person.key, goodPassword)
  const token = tokenOf(await reset(person.id))
  expect((await inspect(token)).json().kind).toBe('password_reset')
  const accepted = await acceptLink(t, token, other)
  expect(accepted.json()).toMatchObject({ stage: 'second_factor', actor: { permissions: [] } })
  const refused = await request(t.ctx).withKey(accepted.json().session_key).get('/notifications')
  expect([refused.statusCode, refused.json().code]).toEqual([403, 'sign_in_incomplete'])
  expect((await logInWithEmail(t, person.email, other)).json().stage).toBe('second_factor')
})

test.each([
  ['too easy to guess', 'invited123', 'too easy to guess'],
  ['too short', 'k9#kd2!', 'at least 8 characters'],
])('a password that is %s is refused and the link stays good', async (_name, password, detail) => {
  const { token } = await inviteOne()
  const refused = await acceptLink(t, token, password)
  expect([refused.statusCode, refused.json().detail]).toEqual([400, expect.stringContaining(detail)])
  expect((await acceptLink(t, token)).statusCode).toBe(200)
})

test('guessing links counts as wrong tries', async () => {
  const address = freshAddress()
  const guess = () =>
    request(t.ctx)
      .anonymous(address)
      .post('/auth/links/accept', { token: 'x'.repeat(43), password: goodPassword })
  for (let tries = 0; tries < 5; tries++) expect((await guess()).statusCode).toBe(404)
  expect((await guess()).statusCode).toBe(429)
})
