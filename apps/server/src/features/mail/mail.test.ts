import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestContext, runJob, type TestContext } from '../../../test/context.ts'
import { type MailServer, startMailServer } from '../../../test/mail-server.ts'
import { readAllBackward, readAllForward } from '../../../test/paging.ts'
import { secretsEnv } from '../../../test/people.ts'
import { request } from '../../../test/request.ts'
import { auditOf } from '../../../test/sign-in.ts'
import { asSystem, inTransaction } from '../../context.ts'
import { deliver } from './deliver.ts'
import { type NewMail, queueMail } from './queue-mail.ts'

const from = 'Agency Console <console@example.com>'
const secret = 'https://console.example.com/welcome#link-that-lets-in'

let server: MailServer
let one: TestContext
let without: TestContext

beforeAll(async () => {
  server = await startMailServer({ user: 'console', password: 'p@ss word', refused: ['gone@example.com'] })
  one = await createTestContext({ env: { ...secretsEnv, SMTP_URL: server.url, MAIL_FROM: from } })
  without = await createTestContext({ env: secretsEnv })
})
beforeEach(async () => {
  await one.ctx.db.deleteFrom('mails').execute()
  await without.ctx.db.deleteFrom('mails').execute()
  one.enqueued.length = 0
  server.received.length = 0
})
afterAll(async () => {
  await one.close()
  await without.close()
  await server.stop()
})

const admin = ({ ctx }: TestContext) => request(ctx).as(['admin.system'])

/** Answers its id. */
async function write({ ctx }: TestContext, mail: Partial<NewMail> = {}): Promise<string> {
  const to = { address: 'ada@example.com', name: 'Ada "the first", Countess' }
  await inTransaction(asSystem(ctx, 'job', 'test'), (tx) =>
    queueMail(tx, { kind: 'user.invitation', to, subject: 'Your invitation', text: secret, ...mail }),
  )
  const newest = await ctx.db.selectFrom('mails').select('id').orderBy('created_at', 'desc').executeTakeFirstOrThrow()
  return newest.id
}

const mailOf = ({ ctx }: TestContext, id: string) =>
  ctx.db.selectFrom('mails').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

describe('a mail', () => {
  test('is sent to the mail server, once, and its text is sealed here', async () => {
    const id = await write(one)
    expect((await mailOf(one, id)).sealed_text).not.toContain('link-that-lets-in')
    await one.runJobs()
    await runJob(one.ctx, 'mail.send', { id })
    expect(server.received).toHaveLength(1)
    const [mail] = server.received
    expect(mail).toMatchObject({ from: 'console@example.com', to: ['ada@example.com'] })
    expect(mail?.raw).toContain(`Message-ID: <${id}@example.com>`)
    expect(mail?.raw).toContain('Subject: Your invitation')
    expect(mail?.raw).toContain(secret)
    expect(await mailOf(one, id)).toMatchObject({ state: 'sent', attempts: 1, error: null })
  })

  test('cannot bring headers of its own', async () => {
    await write(one, {
      subject: 'Hello\r\nBcc: eve@example.com',
      to: { address: 'ada@example.com', name: 'A\r\nCc: x@y' },
    })
    await one.runJobs()
    expect(server.received[0]?.to).toEqual(['ada@example.com'])
    expect(server.received[0]?.raw).not.toMatch(/^(Bcc|Cc):/m)
  })

  test('for an address that the server refuses fails at once, says why and is told', async () => {
    const id = await write(one, { to: { address: 'gone@example.com', name: null } })
    await deliver(asSystem(one.ctx, 'job', 'mail.send'), id, { isLastAttempt: false })
    expect(await mailOf(one, id)).toMatchObject({
      state: 'failed',
      attempts: 1,
      error: expect.stringContaining('550 No such mailbox here'),
    })
    const { notifications } = (await admin(one).get('/notifications')).json()
    expect(notifications[0]).toMatchObject({
      type: 'mail.failed',
      title: 'The email "Your invitation" could not be sent',
    })
  })

  test('waits while the server is busy, and fails with the last try', async () => {
    const busy = { code: 450 }
    const slow = await startMailServer({ busy })
    const ctx = { ...one.ctx, config: { ...one.ctx.config, smtpUrl: slow.url } }
    const system = asSystem(ctx, 'job', 'mail.send')
    const id = await write(one)
    await expect(deliver(system, id, { isLastAttempt: false })).rejects.toThrow('450 Try later')
    expect(await mailOf(one, id)).toMatchObject({ state: 'queued', attempts: 1 })
    await deliver(system, id, { isLastAttempt: true })
    expect(await mailOf(one, id)).toMatchObject({ state: 'failed', attempts: 2 })
    await slow.stop()
  })

  test('that waited while the mail server was taken out is kept', async () => {
    const id = await write(one)
    const ctx = { ...one.ctx, config: { ...one.ctx.config, smtpUrl: undefined } }
    await deliver(asSystem(ctx, 'job', 'mail.send'), id, { isLastAttempt: false })
    expect(await mailOf(one, id)).toMatchObject({ state: 'kept', attempts: 0 })
  })

  test('is kept without a mail server, and sent once there is one', async () => {
    const id = await write(without)
    expect(without.enqueued).toEqual([])
    expect(await mailOf(without, id)).toMatchObject({ state: 'kept' })
    const early = await admin(without).post(`/admin/mails/${id}/send`)
    expect(early.statusCode).toBe(409)
    expect(early.json().detail).toContain('Set "Mail server" under System Config first')
    const set = { 'mail.smtp_url': server.url, 'mail.from': from }
    await admin(without).patch('/admin/settings', { changes: set })
    const again = await admin(without).post(`/admin/mails/${id}/send`)
    expect(again.json().mail).toMatchObject({ state: 'queued' })
    expect(await auditOf(without, again)).toEqual(['Test custom: mail.send_again done'])
    await without.runJobs()
    expect(await mailOf(without, id)).toMatchObject({ state: 'sent' })
    await admin(without).patch('/admin/settings', { changes: { 'mail.smtp_url': null, 'mail.from': null } })
    expect((await admin(without).post(`/admin/mails/${id}/send`)).statusCode).toBe(409)
  })
})

describe('the outbox', () => {
  test('is listed newest first, by pages and by state', async () => {
    for (let count = 0; count < 7; count++) await write(one, { subject: `Mail ${count}` })
    const get = async (path: string) => (await admin(one).get(path)).json()
    const all = await get('/admin/mails')
    expect(all.mails.map(({ subject }: { subject: string }) => subject)).toEqual(
      [6, 5, 4, 3, 2, 1, 0].map((count) => `Mail ${count}`),
    )
    expect(all).toMatchObject({ has_more: false, waiting: 7 })
    expect(all.mails[0]).toMatchObject({
      kind: 'user.invitation',
      to: 'Ada "the first", Countess <ada@example.com>',
      state: 'queued',
      attempts: 0,
      sent_at: null,
    })
    expect(JSON.stringify(all)).not.toContain('link-that-lets-in')
    const ids = all.mails.map(({ id }: { id: string }) => id)
    expect(await readAllForward(get, '/admin/mails?limit=3', 'mails')).toEqual(ids)
    expect(await readAllBackward(get, '/admin/mails?limit=3', 'mails', ids[6])).toEqual(ids.slice(0, 6))
    expect((await get('/admin/mails?state=sent')).mails).toEqual([])
    await one.runJobs()
    expect((await get('/admin/mails?state=sent')).mails).toHaveLength(7)
  })

  test.each(['limit=0', 'state=lost', 'starting_after=nothing', 'starting_after=a&ending_before=b'])(
    'refuses %s',
    async (query) => {
      expect((await admin(one).get(`/admin/mails?${query}`)).statusCode).toBe(400)
    },
  )

  test('shows a text to whoever may read it, and writes down who did', async () => {
    const id = await write(one)
    const answer = await admin(one).get(`/admin/mails/${id}`)
    expect(answer.json()).toMatchObject({ mail: { id }, text: secret })
    expect(await auditOf(one, answer)).toEqual(['Test custom: mail.read done'])
    expect((await admin(one).get('/admin/mails/nothing')).statusCode).toBe(404)
    expect((await admin(one).post('/admin/mails/nothing/send')).statusCode).toBe(404)
  })

  test('says of a text that another key sealed that it cannot be read, and does not send it', async () => {
    const id = await write(one)
    const stranger = await createTestContext({
      database: one.database,
      env: { SECRETS_KEY: 'another-secrets-key-of-at-least-32-characters', SMTP_URL: server.url, MAIL_FROM: from },
    })
    expect((await admin(stranger).get(`/admin/mails/${id}`)).statusCode).toBe(409)
    await runJob(stranger.ctx, 'mail.send', { id })
    expect(await mailOf(one, id)).toMatchObject({ state: 'failed', attempts: 0 })
    expect(server.received).toEqual([])
    await stranger.close()
  })

  test('forgets what is older than the setting says, but nothing that still waits', async () => {
    const old = new Date(one.clock.now() - 31 * 86_400_000)
    const sent = await write(one)
    await one.runJobs()
    const waiting = await write(one)
    await one.ctx.db.updateTable('mails').set({ created_at: old }).execute()
    const fresh = await write(one)
    await runJob(one.ctx, 'mail.tidy')
    const ids = async () => (await one.ctx.db.selectFrom('mails').select('id').execute()).map(({ id }) => id).sort()
    expect(await ids()).toEqual([sent, waiting, fresh].sort())
    await admin(one).patch('/admin/settings', { changes: { 'retention.mail_days': 30 } })
    one.enqueued.length = 0
    await runJob(one.ctx, 'mail.tidy')
    expect(await ids()).toEqual([waiting, fresh].sort())
    expect(one.enqueued).toEqual([{ name: 'mail.send', input: { id: waiting } }])
    await admin(one).patch('/admin/settings', { changes: { 'retention.mail_days': null } })
  })
})
