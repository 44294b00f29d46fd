import { randomUUID } from 'node:crypto'
import type { SessionStage } from '@agency/contract/auth'
import type { LightMyRequestResponse } from 'fastify'
import { Secret, TOTP } from 'otpauth'
import { digestOf, makeSessionKey } from '../src/features/auth/session-key.ts'
import { createSecretBox } from '../src/platform/secrets.ts'
import type { TestContext } from './context.ts'
import { request } from './request.ts'

/** One that is not too easy to guess. */
export const goodPassword = 'violet-harbor-tundra-58'
/** So that a test leaves no key in the data folder. */
export const secretsEnv = { SECRETS_KEY: 'the-secrets-key-of-this-test-1234567890' }

let addresses = 0

/** One that nobody signed in from before: tries are counted by address. */
export function freshAddress(): string {
  addresses++
  return `10.${Math.floor(addresses / 62_500)}.${Math.floor(addresses / 250) % 250}.${(addresses % 250) + 1}`
}

export type TestPerson = { id: string; email: string; name: string; key: string }
type Given = { role?: string; name?: string; email?: string; password?: string }

let people = 0

/** Invites somebody, who comes, chooses a password and is signed in. */
export async function addPerson(test: TestContext, given: Given = {}): Promise<TestPerson> {
  people++
  const { role = 'support', name = `Person ${people}`, email = `person-${people}@example.com` } = given
  const { user, token } = await invite(test, { name, email, role_id: role })
  const accepted = await acceptLink(test, token, given.password)
  if (accepted.statusCode !== 200) throw new Error(`not accepted: ${accepted.body}`)
  return { id: user.id, email, name, key: accepted.json().session_key }
}

export async function invite(
  test: TestContext,
  given: { name: string; email: string; role_id: string },
): Promise<{ user: { id: string }; token: string }> {
  const created = await request(test.ctx)
    .as('super_admin')
    .post('/admin/users', { ...given, send_welcome_email: false })
  if (created.statusCode !== 200) throw new Error(`not invited: ${created.body}`)
  return { user: created.json().user, token: tokenOf(created) }
}

/** What stands behind `#` in the link of an answer. */
export const tokenOf = (response: LightMyRequestResponse): string => String(response.json().link).split('#')[1] ?? ''

export const acceptLink = (
  test: TestContext,
  token: string,
  password = goodPassword,
): Promise<LightMyRequestResponse> =>
  request(test.ctx).anonymous(freshAddress()).post('/auth/links/accept', { token, password })

export const logInWithEmail = (
  test: TestContext,
  email: string,
  password = goodPassword,
  address = freshAddress(),
): Promise<LightMyRequestResponse> =>
  request(test.ctx).anonymous(address).post('/auth/login/email', { email, password })

/** What an authenticator app shows at that moment. */
export const codeOf = (secret: string, at: number): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: at })

/** Sets up a second factor; answers its secret, the recovery codes and the new session key. */
export async function enrol(
  test: TestContext,
  key: string,
  password?: string,
): Promise<{ secret: string; recoveryCodes: string[]; key: string }> {
  const caller = request(test.ctx).withKey(key, freshAddress())
  const begun = await caller.post('/auth/enrolment', { password })
  const { secret } = begun.json()
  if (begun.statusCode !== 200) throw new Error(`no enrolment: ${begun.body}`)
  const confirmed = await caller.post('/auth/enrolment/confirm', { code: codeOf(secret, test.clock.now()) })
  if (confirmed.statusCode !== 200) throw new Error(`not confirmed: ${confirmed.body}`)
  const { recovery_codes: recoveryCodes, session_key: sessionKey } = confirmed.json()
  return { secret, recoveryCodes, key: sessionKey }
}

/** The mails that were written to an address, oldest first. */
export async function mailsTo({ ctx }: TestContext, address: string) {
  const box = await ctx.instance(createSecretBox)
  const rows = await ctx.db
    .selectFrom('mails')
    .select(['kind', 'subject', 'state', 'sealed_text', 'user_id'])
    .where('to_address', '=', address)
    .orderBy('created_at')
    .execute()
  return rows.map(({ sealed_text, ...mail }) => ({ ...mail, text: box.open(sealed_text) ?? '' }))
}

/** Rows of somebody with a live session: for tests in which nobody has to sign in, since nothing fits the password. */
export async function createPerson(
  { ctx }: TestContext,
  { role = 'support', stage = 'open' }: { role?: string; stage?: SessionStage } = {},
): Promise<TestPerson & { sessionId: string }> {
  people++
  const [id, sessionId, key] = [randomUUID(), randomUUID(), makeSessionKey()]
  const [name, email] = [`Person ${people}`, `person-${people}@example.com`]
  const now = ctx.clock()
  const at = new Date(now)
  const created = { created_at: at, updated_at: at, created_by: 'test', created_by_name: 'Test' }
  await ctx.db
    .insertInto('users')
    .values({ id, name, email, role_id: role, password_hash: 'nothing fits', password_set_at: at, ...created })
    .execute()
  await ctx.db
    .insertInto('sessions')
    .values({
      ...{ id: sessionId, key_hash: Buffer.from(digestOf(key), 'base64'), stage, role },
      ...{ actor_type: 'user', actor_id: id, actor_name: name },
      ...{ created_at: at, last_activity_at: at },
      idle_expires_at: new Date(now + 30 * 60_000),
      expires_at: new Date(now + 12 * 3_600_000),
    })
    .execute()
  return { id, email, name, key, sessionId }
}

/** The row of a role; answers its id. */
export async function createRole({ ctx }: TestContext, permissions: string[]): Promise<string> {
  const id = randomUUID()
  const name = `role_${id.replaceAll('-', '').slice(0, 20)}`
  await ctx.db.insertInto('roles').values({ id, name, display_name: name, permissions }).execute()
  return id
}
