import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestContext, runJob, type TestContext } from '../../../test/context.ts'
import { startMailServer } from '../../../test/mail-server.ts'
import { secretsEnv } from '../../../test/people.ts'
import { type Caller, request } from '../../../test/request.ts'
import { makeSite } from '../../../test/sites.ts'
import { createSecretBox } from '../../platform/secrets.ts'

let t: TestContext
let root: Caller
let status = 200
const received: { url: string; headers: IncomingHttpHeaders; body: string }[] = []
const server = createServer(async (asked, answer) => {
  received.push({ url: asked.url ?? '', headers: asked.headers, body: await text(asked) })
  answer.writeHead(status).end()
})

beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterAll(async () => {
  await t.close()
  server.close()
})
beforeEach(async () => {
  await t?.close()
  t = await createTestContext({
    env: { ...secretsEnv, PUBLIC_URL: 'https://console.example.com' },
    now: '2026-11-21T12:00:00Z',
  })
  root = request(t.ctx).as('super_admin')
  const { port } = server.address() as AddressInfo
  const hosts = new Set(['hooks.example.com'])
  t.ctx.replace({ demoHosts: { hosts: () => hosts, address: '127.0.0.1', httpPort: port, httpsPort: port, ca: '' } })
  received.length = 0
  status = 200
})

const sql = (text_: string, values: unknown[] = []) => t.ctx.pool.query(text_, values)

/** Added as a person adds it; the certificate of a stand-in cannot be trusted, so plain http takes its place then. */
async function added(fields: Record<string, unknown> = {}) {
  const answer = await root.post('/channels', {
    ...{ kind: 'webhook', name: 'On call', target: 'https://hooks.example.com/alerts?key=abc' },
    ...fields,
  })
  expect(answer.statusCode).toBe(200)
  const { channel, signing_secret } = answer.json()
  const box = await t.ctx.instance(createSecretBox)
  if (channel.kind !== 'mail')
    await sql('update notification_channels set target_sealed = $2 where id = $1', [
      ...[channel.id, box.seal('http://hooks.example.com/alerts?key=abc')],
    ])
  return { channel, secret: signing_secret as string }
}

/** Only what is sent: the sites of these tests are not there to be looked at. */
async function sendAll(): Promise<void> {
  const waiting = t.enqueued.filter(({ name }) => name === 'channels.deliver')
  t.enqueued.length = 0
  for (const { input } of waiting) await runJob(t.ctx, 'channels.deliver', input)
}

async function siteDown(): Promise<string> {
  const { id } = await makeSite(root)
  await sql(`update sites set health_status = 'down', health_detail = 'Answered with status 500' where id = $1`, [id])
  await runJob(t.ctx, 'alerts.evaluate')
  t.clock.advance(60_000)
  await runJob(t.ctx, 'alerts.evaluate')
  return id
}

const deliveries = async () => (await root.get('/channels/deliveries')).json().deliveries
const listed = async () => (await root.get('/channels')).json().channels

describe('an alert', () => {
  test('reaches a webhook once, signed, and so does its end', async () => {
    const { secret } = await added()
    const id = await siteDown()
    await sendAll()
    await runJob(t.ctx, 'alerts.evaluate')
    await sendAll()
    expect(received).toHaveLength(1)
    const { headers, body, url } = received[0]!
    expect(url).toBe('/alerts?key=abc')
    const [, at, signature] = /^t=(\d+),v1=([0-9a-f]+)$/.exec(String(headers['x-console-signature'])) ?? []
    expect(signature).toBe(createHmac('sha256', secret).update(`${at}.${body}`).digest('hex'))
    const sent = JSON.parse(body)
    expect(sent).toMatchObject({
      type: 'alert.opened',
      alert: { severity: 'error', detail: 'Answered with status 500' },
    })
    expect(sent.alert.url).toBe(`https://console.example.com/admin/alerts?open=${sent.alert.id}`)
    await sql(`update sites set health_status = 'healthy' where id = $1`, [id])
    t.clock.advance(1000)
    await runJob(t.ctx, 'alerts.evaluate')
    await sendAll()
    expect(JSON.parse(received[1]!.body)).toMatchObject({ type: 'alert.resolved', alert: { id: sent.alert.id } })
    expect(
      (await deliveries()).map(({ type, state, attempts }: Record<string, unknown>) => [type, state, attempts]),
    ).toEqual([
      ...[
        ['alert.resolved', 'sent', 1],
        ['alert.opened', 'sent', 1],
      ],
    ])
    expect((await listed())[0]).toMatchObject({ failing_since: null, last_sent_at: '2026-11-21T12:01:01.000Z' })
  })

  test('tells its end only to channels that could hear of its beginning', async () => {
    await added()
    const id = await siteDown()
    t.clock.advance(60_000)
    await added({ name: 'Added meanwhile' })
    await sql(`update sites set health_status = 'healthy' where id = $1`, [id])
    await runJob(t.ctx, 'alerts.evaluate')
    await sendAll()
    const told = (await deliveries()).map(({ type, channel_name }: Record<string, unknown>) => [type, channel_name])
    expect(told).toEqual([
      ['alert.resolved', 'On call'],
      ['alert.opened', 'On call'],
    ])
  })

  test('below the severity of a channel, or for one that is switched off, is not sent', async () => {
    const { channel } = await added({ min_severity: 'critical' })
    await added({ name: 'Off' })
    const off = (await listed()).find(({ name }: { name: string }) => name === 'Off')
    await root.patch(`/channels/${off.id}`, { version: off.version, is_enabled: false })
    await siteDown()
    await sendAll()
    expect(received).toEqual([])
    const { routes } = (await root.get('/notification-routes')).json()
    const { id } = routes.find((route: { channel_id: string }) => route.channel_id === channel.id)
    await root.patch(`/notification-routes/${id}`, { version: 1, min_severity: 'error' })
    await siteDown()
    await sendAll()
    expect(received).toHaveLength(1)
  })

  test('is tried again while the channel fails, until it is given up', async () => {
    await added()
    await siteDown()
    status = 503
    const [waiting] = t.enqueued.filter(({ name }) => name === 'channels.deliver')
    const once_ = (isLastAttempt: boolean) => runJob(t.ctx, 'channels.deliver', waiting?.input, { isLastAttempt })
    // What was read before is answered again until the process has heard of the change.
    const newest = () => expect.poll(async () => (await deliveries())[0])
    await expect(once_(false)).rejects.toThrow('status 503')
    await newest().toMatchObject({ state: 'queued', attempts: 1, error: 'The channel answered with status 503' })
    await expect.poll(async () => (await listed())[0]).toMatchObject({ failing_since: '2026-11-21T12:01:00.000Z' })
    await once_(true)
    await newest().toMatchObject({ state: 'failed', attempts: 2 })
    status = 200
    await once_(true)
    expect(received).toHaveLength(2)
  })

  test('reaches Slack as text that nothing in it can change, and a mailbox by mail', async () => {
    const mailServer = await startMailServer()
    t.ctx.replace({ config: { ...t.ctx.config, smtpUrl: mailServer.url, mailFrom: 'console@example.com' } })
    await added({ kind: 'slack', name: 'Slack' })
    await added({ kind: 'mail', name: 'Mail', target: 'ops@example.com' })
    await makeSite(root, { site_name: '<!channel> & <https://x.example|y>' })
    await sql(`update sites set health_status = 'down'`)
    await runJob(t.ctx, 'alerts.evaluate')
    t.clock.advance(60_000)
    await runJob(t.ctx, 'alerts.evaluate')
    await sendAll()
    expect(JSON.parse(received[0]!.body).text).toContain(
      '*Error: &lt;!channel&gt; &amp; &lt;https://x.example|y&gt; is down*',
    )
    await mailServer.stop()
    expect(mailServer.received).toMatchObject([{ to: ['ops@example.com'] }])
    expect(mailServer.received[0]?.raw).toContain('Subject: Error: <!channel> & <https://x.example|y> is down')
    expect((await sql('select id from mails')).rows).toEqual([])
  })
})

describe('a channel', () => {
  test('of mail says that there is no mail server, and sends nothing', async () => {
    const { channel } = await added({ kind: 'mail', name: 'Mail', target: 'ops@example.com' })
    const { delivery } = (await root.post(`/channels/${channel.id}/test`)).json()
    expect(delivery).toMatchObject({ state: 'failed', error: 'No mail server', sent_at: null })
    expect((await listed())[0]).toMatchObject({ last_error: 'No mail server', last_sent_at: null })
    expect((await sql('select id from mails')).rows).toEqual([])
  })

  test('is tested at once, and says what became of it', async () => {
    const { channel } = await added()
    expect((await root.post(`/channels/${channel.id}/test`)).json().delivery).toMatchObject({
      state: 'sent',
      type: 'test',
    })
    status = 404
    expect((await root.post(`/channels/${channel.id}/test`)).json().delivery).toMatchObject({
      ...{ state: 'failed', error: 'The channel answered with status 404' },
    })
  })

  test('shows its host only, is changed by its version, and deleted; each is written down', async () => {
    const { channel } = await added()
    expect(channel).toMatchObject({ target: 'hooks.example.com', routes: 1, version: 1 })
    expect(JSON.stringify(await listed())).not.toContain('abc')
    const patch = async (body: object) => (await root.patch(`/channels/${channel.id}`, body)).statusCode
    expect(await patch({ version: 1, name: 'Night shift' })).toBe(200)
    expect(await patch({ version: 1, name: 'Other' })).toBe(409)
    expect((await root.delete(`/channels/${channel.id}`)).json()).toEqual({ deleted: true })
    expect(await listed()).toEqual([])
    const audited = (
      await sql(
        `select action, before::text || after::text as said from audit_entries where resource_type = 'channel' order by id`,
      )
    ).rows
    expect(audited.map(({ action }) => action)).toEqual(['channel.create', 'channel.update', 'channel.delete'])
    expect(JSON.stringify(audited)).not.toContain('key=abc')
  })

  test('leads to public https addresses of any port, or to a mail address', async () => {
    const add = async (kind: string, target: string) =>
      (await root.post('/channels', { kind, name: `${kind} ${target}`.slice(0, 80), target })).statusCode
    expect(await add('webhook', 'https://chat.example.com:8443/hook')).toBe(200)
    for (const target of [
      'http://chat.example.com/',
      'https://127.0.0.1/',
      'https://localhost/',
      'https://[::1]/',
      'ftp://x.example/',
      'text',
    ])
      expect([target, await add('webhook', target)]).toEqual([target, 400])
    for (const target of ['https://x.example/', 'a@example.com, nobody', ', ,'])
      expect([target, await add('mail', target)]).toEqual([target, 400])
    expect(await add('mail', Array.from({ length: 21 }, (_, n) => `a${n}@example.com`).join(','))).toBe(400)
    const admin = request(t.ctx).as('admin')
    expect((await admin.get('/channels')).statusCode).toBe(403)
    expect((await admin.post('/channels', { kind: 'mail', name: 'x', target: 'a@example.com' })).statusCode).toBe(403)
    await added({ name: 'Twice' })
    expect((await root.post('/channels', { kind: 'mail', name: 'twice', target: 'a@example.com' })).statusCode).toBe(
      400,
    )
  })
})
