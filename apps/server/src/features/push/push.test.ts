import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestContext, runJob, type TestContext } from '../../../test/context.ts'
import { addPerson, secretsEnv } from '../../../test/people.ts'
import { type Caller, request } from '../../../test/request.ts'
import { makeSite } from '../../../test/sites.ts'
import { asSystem, inTransaction } from '../../context.ts'
import { createSecretBox } from '../../platform/secrets.ts'
import { notify } from '../notifications/index.ts'
import { type Browser, decrypt, makeBrowser, readVapid } from './test/browser.ts'

type Received = { url: string; headers: IncomingHttpHeaders; body: Buffer }

/** A push service: https://www.rfc-editor.org/rfc/rfc8030 */
const received: Received[] = []
const statuses = new Map<string, number>()
const service = createServer(async (asked, answer) => {
  const url = asked.url ?? ''
  received.push({ url, headers: asked.headers, body: await buffer(asked) })
  answer.writeHead(statuses.get(url) ?? 201).end()
})

let t: TestContext
let root: Caller

beforeAll(async () => {
  service.listen(0, '127.0.0.1')
  await once(service, 'listening')
})
afterAll(() => service.close())
beforeEach(async () => {
  received.length = 0
  statuses.clear()
  t = await createTestContext({
    env: { ...secretsEnv, PUBLIC_URL: 'https://console.example.com', MAIL_FROM: 'Console <console@example.com>' },
  })
  root = request(t.ctx).as('super_admin')
  const { port } = service.address() as AddressInfo
  const hosts = new Set(['push.example.com'])
  t.ctx.replace({ demoHosts: { hosts: () => hosts, address: '127.0.0.1', httpPort: port, httpsPort: port, ca: '' } })
})
afterEach(() => t.close())

const sql = (text: string, values: unknown[] = []) => t.ctx.pool.query(text, values)

/** Subscribed as a browser does; the certificate of a stand-in cannot be trusted, so plain http takes the place of https. */
async function subscribed(caller: Caller, path: string): Promise<{ id: string; browser: Browser }> {
  const browser = makeBrowser()
  const answer = await caller.post(
    '/push/subscriptions',
    { endpoint: `https://push.example.com${path}`, keys: browser.keys },
    { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0' },
  )
  if (answer.statusCode !== 200) throw new Error(answer.body)
  const { id } = answer.json().subscription
  const box = await t.ctx.instance(createSecretBox)
  const sealed = box.seal(JSON.stringify({ endpoint: `http://push.example.com${path}`, keys: browser.keys }))
  await sql('update push_subscriptions set sealed = $2 where id = $1', [id, sealed])
  return { id, browser }
}

async function sendAll(): Promise<void> {
  for (const { name, input } of t.enqueued.splice(0)) if (name === 'channels.deliver') await runJob(t.ctx, name, input)
}

async function siteDown(): Promise<void> {
  await makeSite(root, { site_name: 'Harbor' })
  await sql(`update sites set health_status = 'down', health_detail = 'Answered with secret-token-123'`)
  await runJob(t.ctx, 'alerts.evaluate')
  await sql(`update alerts set opened_at = opened_at - interval '1 minute'`)
  await runJob(t.ctx, 'alerts.evaluate')
  await sendAll()
}

const own = async (caller: Caller) => (await caller.get('/push')).json()
const urls = () => received.map(({ url }) => url).sort()

describe('an alert', () => {
  test('reaches a browser encrypted and signed, with title, severity and link and nothing else', async () => {
    const { public_key } = await own(root)
    const ada = await addPerson(t, { role: 'admin' })
    const { browser } = await subscribed(request(t.ctx).withKey(ada.key), '/ada')
    await siteDown()
    expect(urls()).toEqual(['/ada'])
    const [{ headers, body }] = received as [Received]
    expect(headers).toMatchObject({ 'content-encoding': 'aes128gcm', ttl: '86400', urgency: 'high' })
    expect(body.includes('Harbor')).toBe(false)
    const payload = JSON.parse(decrypt(body, browser))
    expect(payload).toEqual({
      ...{ title: 'Harbor is down', severity: 'error', tag: expect.stringMatching(/^alert_/) },
      link: `/admin/alerts?open=${payload.tag}`,
    })
    const { publicKey, claims } = readVapid(String(headers.authorization))
    expect(publicKey).toBe(public_key)
    expect(claims).toMatchObject({ aud: 'http://push.example.com', sub: 'mailto:console@example.com' })
  })

  test('is not sent to whoever may not see it, or is gone from the console', async () => {
    const ada = await addPerson(t, { role: 'admin' })
    const sue = await addPerson(t, { role: 'support' })
    const old = await addPerson(t, { role: 'admin' })
    await subscribed(request(t.ctx).withKey(ada.key), '/ada')
    await subscribed(request(t.ctx).withKey(sue.key), '/sue')
    await subscribed(request(t.ctx).withKey(old.key), '/old')
    await sql('update users set is_active = false where id = $1', [old.id])
    await inTransaction(asSystem(t.ctx, 'job', 'test'), (tx) =>
      notify(tx, {
        ...{ dedupeKey: 'd', type: 'dispute.opened', severity: 'error', permission: 'billing.read', title: 'Disputed' },
      }),
    )
    await sendAll()
    expect(urls()).toEqual(['/ada'])
  })

  test('deletes a subscription that is gone, and is tried again for those that failed alone', async () => {
    const ada = request(t.ctx).withKey((await addPerson(t, { role: 'admin' })).key)
    for (const path of ['/good', '/gone', '/busy']) await subscribed(ada, path)
    statuses.set('/gone', 410).set('/busy', 503)
    await makeSite(root)
    await sql(`update sites set health_status = 'down'`)
    await runJob(t.ctx, 'alerts.evaluate')
    await sql(`update alerts set opened_at = opened_at - interval '1 minute'`)
    await runJob(t.ctx, 'alerts.evaluate')
    const [waiting] = t.enqueued.filter(({ name }) => name === 'channels.deliver')
    const attempt = () => runJob(t.ctx, 'channels.deliver', waiting?.input, { isLastAttempt: false })
    await expect(attempt()).rejects.toThrow('status 503')
    expect(urls()).toEqual(['/busy', '/gone', '/good'])
    expect((await own(ada)).subscriptions).toHaveLength(2)
    statuses.clear()
    await attempt()
    expect(urls()).toEqual(['/busy', '/busy', '/gone', '/good'])
  })

  test('is no delivery while no browser is subscribed', async () => {
    expect((await root.post('/channels', { kind: 'push', name: 'Browsers' })).statusCode).toBe(200)
    await siteDown()
    expect((await root.get('/channels/deliveries')).json().deliveries).toEqual([])
  })
})

describe('a subscription', () => {
  test('brings the channel of browsers with the first, and is listed for its person alone', async () => {
    const [ada, bob] = [await addPerson(t, { role: 'admin' }), await addPerson(t, { role: 'admin' })]
    await subscribed(request(t.ctx).withKey(ada.key), '/ada')
    await subscribed(request(t.ctx).withKey(bob.key), '/bob')
    const { channels } = (await root.get('/channels')).json()
    expect(channels).toMatchObject([{ kind: 'push', name: 'Browser push', routes: 1 }])
    expect((await root.post('/channels', { kind: 'push', name: 'Another' })).statusCode).toBe(400)
    const { subscriptions } = await own(request(t.ctx).withKey(ada.key))
    expect(subscriptions).toMatchObject([
      {
        browser: 'Chrome on Linux',
        endpoint_hash: createHash('sha256').update('https://push.example.com/ada').digest('hex'),
      },
    ])
    expect(JSON.stringify((await sql('select * from push_subscriptions')).rows)).not.toContain('push.example.com')
  })

  test('is renewed by its browser, tested, and removed; each is written down', async () => {
    const { id, browser } = await subscribed(root, '/mine')
    const again = await root.post('/push/subscriptions', {
      ...{ endpoint: 'https://push.example.com/mine', keys: browser.keys },
    })
    expect(again.json().subscription.id).toBe(id)
    const box = await t.ctx.instance(createSecretBox)
    const at = { endpoint: 'http://push.example.com/mine', keys: browser.keys }
    await sql('update push_subscriptions set sealed = $2 where id = $1', [id, box.seal(JSON.stringify(at))])
    expect((await root.post(`/push/subscriptions/${id}/test`, {})).json()).toEqual({ state: 'sent', error: null })
    expect(JSON.parse(decrypt(received[0]!.body, browser))).toMatchObject({ title: 'Test: notifications arrive here' })
    statuses.set('/mine', 404)
    expect((await root.post(`/push/subscriptions/${id}/test`, {})).json()).toEqual({ state: 'gone', error: null })
    expect((await own(root)).subscriptions).toEqual([])
    expect((await root.delete(`/push/subscriptions/${id}`)).statusCode).toBe(404)
    const { id: other } = await subscribed(root, '/other')
    expect((await root.delete(`/push/subscriptions/${other}`)).json()).toEqual({ deleted: true })
    const { rows } = await sql(`select action from audit_entries where resource_type = 'push_subscription' order by id`)
    expect(rows.map(({ action }) => action)).toEqual([
      ...['push_subscription.create', 'push_subscription.create', 'push_subscription.test', 'push_subscription.test'],
      ...['push_subscription.create', 'push_subscription.delete'],
    ])
  })

  test('of somebody else can neither be tested nor removed', async () => {
    const ada = await addPerson(t, { role: 'admin' })
    const { id } = await subscribed(request(t.ctx).withKey(ada.key), '/ada')
    expect((await root.post(`/push/subscriptions/${id}/test`, {})).statusCode).toBe(404)
    expect((await root.delete(`/push/subscriptions/${id}`)).statusCode).toBe(404)
  })

  test.each([
    'http://push.example.org/x',
    'https://127.0.0.1/x',
    'https://localhost/x',
    'https://[::1]:99/x',
    'nothing at all',
  ])('may not lead to %s', async (endpoint) => {
    const { keys } = makeBrowser()
    expect((await root.post('/push/subscriptions', { endpoint, keys })).statusCode).toBe(400)
  })

  test('needs the keys of a browser', async () => {
    const keys = { p256dh: 'A'.repeat(88), auth: makeBrowser().keys.auth }
    const answer = await root.post('/push/subscriptions', { endpoint: 'https://push.example.com/x', keys })
    expect([answer.statusCode, answer.json().parameter]).toEqual([400, 'keys'])
  })
})

test('of two that ask first at once both get the same key', async () => {
  const [one, two] = await Promise.all([own(root), own(request(t.ctx).as('admin'))])
  expect(one.public_key).toBe(two.public_key)
  expect(Buffer.from(one.public_key, 'base64url')).toHaveLength(65)
})
