import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/context.ts'
import { goodPassword, mailsTo, secretsEnv } from '../../../test/people.ts'
import { request } from '../../../test/request.ts'
import { auditOf } from '../../../test/sign-in.ts'

const now = '2026-03-01T09:00:00Z'
const publicUrl = 'https://console.example.com'

let t: TestContext
/** Knows neither its own address nor a mail server. */
let bare: TestContext

beforeAll(async () => {
  const smtp = { SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'console@example.com' }
  t = await createTestContext({ now, env: { ...secretsEnv, ...smtp, PUBLIC_URL: publicUrl } })
  bare = await createTestContext({ now, env: secretsEnv })
})

afterAll(async () => {
  await t?.close()
  await bare?.close()
})

let count = 0
const person = () => ({ name: `Newcomer ${++count}`, email: `new-${count}@example.com` })
const create = (body: unknown, where = t) => request(where.ctx).as('super_admin').post('/admin/users', body)

describe('an invitation', () => {
  test('is a link that is good for seven days, sent by mail and told once', async () => {
    const response = await create({ ...person(), email: ' Ina@Example.COM ' })
    expect(response.statusCode).toBe(200)
    const { user, link, ...rest } = response.json()
    expect(user).toMatchObject({ email: 'ina@example.com', role: 'support', password: 'none', is_active: true })
    expect(link).toMatch(/^https:\/\/console\.example\.com\/welcome#[\w-]{43}$/)
    expect(rest).toEqual({ mail: 'queued', link_expires_at: '2026-03-08T09:00:00.000Z' })
    expect(await auditOf(t, response)).toEqual(['Test super_admin: user.create done'])
    const [mail] = await mailsTo(t, 'ina@example.com')
    expect(mail).toMatchObject({ kind: 'user.invitation', state: 'queued', user_id: user.id })
    expect(mail?.text).toContain(`${link}\n`)
    expect(t.enqueued.map(({ name }) => name)).toContain('mail.send')
    const again = await request(t.ctx).as('super_admin').get(`/admin/users/${user.id}`)
    expect(again.body).not.toContain(link.split('#')[1])
  })

  test('is stored as a hash, and sealed where it stands in a mail', async () => {
    const { link } = (await create(person())).json()
    const token = link.split('#')[1]
    const { rows } = await t.ctx.pool.query(
      `select coalesce(string_agg(x, ' '), '') as text from (
         select l::text as x from user_links l union all select m::text from mails m
         union all select a::text from audit_entries a union all select u::text from users u
       ) x`,
    )
    expect(rows[0].text).toContain('user.invitation')
    expect(rows[0].text).not.toContain(token)
  })

  test('is written to nobody when that is not wanted', async () => {
    const given = person()
    expect((await create({ ...given, send_welcome_email: false })).json().mail).toBe('none')
    expect(await mailsTo(t, given.email)).toEqual([])
  })

  test('is not sent while the console does not know its own address; the path is told to hand it over', async () => {
    const given = person()
    const { mail, link } = (await create(given, bare)).json()
    expect(mail).toBe('none')
    expect(link).toMatch(/^\/welcome#[\w-]{43}$/)
    expect(await mailsTo(bare, given.email)).toEqual([])
  })
})

describe('a temporary password', () => {
  test('is good for seven days and is never in a mail', async () => {
    const given = person()
    const response = await create({ ...given, role_id: 'admin', temporary_password: goodPassword })
    expect(response.json()).toMatchObject({
      user: { role: 'admin', password: 'temporary', open_link: null },
      mail: 'queued',
      link: null,
      link_expires_at: null,
    })
    const [mail] = await mailsTo(t, given.email)
    expect(mail?.kind).toBe('user.welcome')
    expect(mail?.text).toContain('March 8, 2026')
    expect(mail?.text).toContain(`${publicUrl}/admin`)
    expect(mail?.text).not.toContain(goodPassword)
    const { rows } = await t.ctx.pool.query('select string_agg(a::text, $1) as text from audit_entries a', [','])
    expect(rows[0].text).not.toContain(goodPassword)
  })

  test('is told of in the outbox without a mail server, then without any address', async () => {
    const given = person()
    expect((await create({ ...given, temporary_password: goodPassword }, bare)).json().mail).toBe('kept')
    const [mail] = await mailsTo(bare, given.email)
    expect(mail?.text).toContain('Sign in with email')
    expect(mail?.text).not.toContain('http')
  })

  test('may not be one that guessers try first', async () => {
    for (const temporary_password of ['password1', 'newcomer 1'])
      expect((await create({ ...person(), temporary_password })).json()).toMatchObject({
        code: 'invalid_request',
        parameter: 'temporary_password',
        detail: expect.stringContaining('too easy to guess'),
      })
  })
})

test.each([
  [{ name: '  ' }, 'name', 'Enter a name'],
  [{ name: 'Ann\n\nPay here' }, 'name', 'A name is one line of text'],
  [{ email: 'nobody' }, 'email', 'Enter a valid email address'],
  [{ role_id: 'owner' }, 'role_id', 'must be the id of a role'],
  [{ temporary_password: 'short' }, 'temporary_password', 'at least 8 characters'],
  [{ is_active: false }, 'is_active', 'is not a known parameter'],
])('refuses %j', async (wrong, parameter, detail) => {
  const given = { ...person(), ...wrong }
  const response = await create(given)
  expect(response.statusCode).toBe(400)
  expect(response.json()).toMatchObject({ parameter, detail: expect.stringContaining(detail) })
})

test('refuses an email address that somebody has, also of two at the same moment', async () => {
  const given = person()
  const [first, second] = await Promise.all([
    create(given),
    create({ ...given, email: given.email.toUpperCase(), temporary_password: goodPassword }),
  ])
  const refused = [first, second].filter((response) => response.statusCode !== 200)
  expect(refused).toHaveLength(1)
  expect(refused[0]?.statusCode).toBe(409)
  expect(refused[0]?.json()).toMatchObject({
    code: 'conflict',
    parameter: 'email',
    detail: 'A user with this email address already exists',
  })
})

test('nobody gives a role that holds more than they do, and the attempt is written down', async () => {
  const lead = request(t.ctx).as(['admin.users', 'customers.read', 'sites.read', 'support.read', 'support.write'])
  expect((await lead.post('/admin/users', { ...person(), role_id: 'support' })).statusCode).toBe(200)
  const refused = await lead.post('/admin/users', { ...person(), role_id: 'readonly' })
  expect(refused.statusCode).toBe(403)
  expect(refused.json()).toMatchObject({
    code: 'forbidden',
    detail: 'You cannot give permissions that you do not have: View analytics',
  })
  expect(await auditOf(t, refused)).toEqual(['Test custom: user.create denied'])
  const root = await lead.post('/admin/users', { ...person(), role_id: 'super_admin' })
  expect(root.json().detail).toBe('Only a super admin can make a super admin')
})
