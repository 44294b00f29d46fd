import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { runJob } from '../../../test/context.ts'
import { type MailServer, startMailServer } from '../../../test/mail-server.ts'
import { asSystem } from '../../context.ts'
import { findChannel } from './queries/channels.ts'
import { findDelivery } from './queries/deliveries.ts'
import { sendMails } from './send-mails.ts'
import { openWorld, startReceiver, type World } from './test/channel-world.ts'

let receiver: Awaited<ReturnType<typeof startReceiver>>
let w: World

beforeAll(async () => {
  receiver = await startReceiver()
})
afterAll(() => receiver.stop())
beforeEach(() => receiver.reset())
afterEach(() => w.t.close())

const listed = async (name: string) =>
  (await w.root.get('/channels')).json().channels.find((one: { name: string }) => one.name === name)
const deliveries = async () => (await w.root.get('/channels/deliveries')).json().deliveries
const alerts = async () => (await w.root.get('/alerts')).json().alerts
const titles = (path: string) => receiver.bodiesOf(path).map(({ alert }) => alert.title)

describe('a channel that fails', () => {
  beforeEach(async () => {
    w = await openWorld(receiver.port)
  })

  test('is dead after some tries over some time, told by the others and the bell, and back with its next success', async () => {
    const id = await w.addHook('Broken')
    await w.addHook('Other')
    receiver.statuses.set('/broken', 503)
    await w.siteDown({ site_name: 'Harbor' })
    const [waiting] = w.t.enqueued.filter(({ name }) => name === 'channels.deliver')
    const attempt = () => runJob(w.t.ctx, 'channels.deliver', waiting?.input, { isLastAttempt: false })
    for (let count = 1; count <= 4; count++) {
      await expect(attempt()).rejects.toThrow('status 503')
      w.t.clock.advance(60_000)
    }
    expect(await listed('Broken')).toMatchObject({ dead_since: null, failing_since: '2026-11-21T12:01:00.000Z' })
    w.t.clock.advance(60_000)
    await expect(attempt()).rejects.toThrow('status 503')
    expect(await listed('Broken')).toMatchObject({ dead_since: '2026-11-21T12:06:00.000Z' })

    await w.evaluate()
    await w.sendAll({ isLastAttempt: false })
    expect(
      (await alerts()).map(({ rule, severity, subject_name }: Record<string, string>) => [
        rule,
        severity,
        subject_name,
      ]),
    ).toContainEqual(['channel.failing', 'error', 'Broken'])
    expect(titles('/other')).toContain('The channel Broken cannot be reached')
    expect(titles('/broken')).not.toContain('The channel Broken cannot be reached')
    const bell = (await w.root.get('/notifications')).json().notifications
    expect(bell.map(({ title }: { title: string }) => title)).toContain('The channel Broken cannot be reached')

    receiver.statuses.clear()
    const { delivery } = (await w.root.post(`/channels/${id}/test`)).json()
    expect(delivery).toMatchObject({ state: 'sent', error: null })
    expect(await listed('Broken')).toMatchObject({ dead_since: null, failing_since: null, last_error: null })
    await w.evaluate()
    expect((await alerts()).map(({ rule }: { rule: string }) => rule)).not.toContain('channel.failing')
  })

  test('hands what it could not deliver to the escalation channel, once, and says so', async () => {
    await w.addHook('Broken', { min_severity: 'warning' })
    const target = await w.addHook('Chief', { min_severity: 'critical' })
    expect((await w.root.patch(`/channels/${target}`, { version: 1, is_escalation: true })).statusCode).toBe(200)
    receiver.statuses.set('/broken', 500)
    await w.siteDown({ site_name: 'Harbor' })
    await w.sendAll()
    await w.sendAll()
    expect(receiver.bodiesOf('/chief')).toMatchObject([
      { type: 'alert.opened', escalated_from: 'Broken', alert: { title: 'Harbor is down' } },
    ])
    await w.evaluate()
    await w.sendAll()
    // No route leads to it for an error.
    expect(titles('/chief')).toEqual(['Harbor is down', 'The channel Broken cannot be reached'])
    expect((await deliveries()).filter(({ state }: { state: string }) => state === 'failed')).toHaveLength(1)
  })

  test('of escalation is one at most', async () => {
    const first = await w.addHook('First')
    const second = await w.addHook('Second')
    for (const id of [first, second])
      expect((await w.root.patch(`/channels/${id}`, { version: 1, is_escalation: true })).statusCode).toBe(200)
    expect([(await listed('First')).is_escalation, (await listed('Second')).is_escalation]).toEqual([false, true])
  })

  test('is not dead because a test failed', async () => {
    const id = await w.addHook('Broken')
    receiver.statuses.set('/broken', 404)
    await w.root.post(`/channels/${id}/test`)
    expect(await listed('Broken')).toMatchObject({
      dead_since: null,
      last_error: 'The channel answered with status 404',
    })
  })

  test('that was switched off sends nothing that still waits', async () => {
    const id = await w.addHook('Off')
    await w.siteDown()
    await w.root.patch(`/channels/${id}`, { version: 1, is_enabled: false })
    await w.sendAll()
    expect(receiver.received).toEqual([])
    expect((await deliveries())[0]).toMatchObject({ state: 'failed', error: 'The channel was switched off' })
  })
})

describe('a mail channel of several addresses', () => {
  let server: MailServer
  const open = async (options: Parameters<typeof startMailServer>[0] = {}) => {
    server = await startMailServer(options)
    w = await openWorld(receiver.port, { SMTP_URL: server.url, MAIL_FROM: 'console@example.com' })
  }
  afterEach(() => server.stop())

  test('writes to each, and one that is refused for good neither stops the others nor kills the channel', async () => {
    await open({ refused: ['gone@example.com'] })
    await w.addMail('Team', 'Ada@example.com, gone@example.com; bob@example.com')
    await w.siteDown({ site_name: 'Harbor' })
    expect(await w.sendAll()).toEqual([])
    expect(server.received.flatMap(({ to }) => to)).toEqual(['ada@example.com', 'bob@example.com'])
    const [delivery] = await deliveries()
    expect(delivery).toMatchObject({ state: 'sent', attempts: 1 })
    expect(delivery.error).toMatch(/^Refused: gone@example.com: .*No such mailbox here/)
    expect(await listed('Team')).toMatchObject({ failing_since: null, dead_since: null })
  })

  test('of which all are refused fails at once, and is dead', async () => {
    await open({ refused: ['a@example.com', 'b@example.com'] })
    await w.addMail('Team', 'a@example.com, b@example.com')
    await w.siteDown()
    await w.sendAll({ isLastAttempt: false })
    expect((await deliveries())[0]).toMatchObject({ state: 'failed', attempts: 1 })
    expect(await listed('Team')).toMatchObject({ dead_since: '2026-11-21T12:01:00.000Z' })
  })

  test('is tried again for those alone that were not reached', async () => {
    const busy = { code: 0 }
    await open({ busy })
    await w.addMail('Team', 'ada@example.com, bob@example.com')
    await w.siteDown()
    const [waiting] = w.t.enqueued.filter(({ name }) => name === 'channels.deliver')
    await w.sql(`update channel_deliveries set recipients = '{"ada@example.com": {"state": "sent"}}'`)
    busy.code = 451
    const attempt = (isLastAttempt: boolean) => runJob(w.t.ctx, 'channels.deliver', waiting?.input, { isLastAttempt })
    await expect(attempt(false)).rejects.toThrow('bob@example.com')
    expect(await listed('Team')).toMatchObject({ failing_since: null })
    busy.code = 0
    await attempt(false)
    expect(server.received.flatMap(({ to }) => to)).toEqual(['bob@example.com'])
    expect((await deliveries())[0]).toMatchObject({ state: 'sent' })
  })
})

test('a mail server that hangs takes no longer than the job may, however many addresses there are', async () => {
  const sockets = new Set<Socket>()
  const hanging = createServer((socket) => sockets.add(socket))
  hanging.listen(0, '127.0.0.1')
  await once(hanging, 'listening')
  const { port } = hanging.address() as AddressInfo
  w = await openWorld(receiver.port, { SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: 'console@example.com' })
  const many = Array.from({ length: 20 }, (_, index) => `a${index}@example.com`).join(', ')
  const id = await w.addMail('Team', many)
  await w.siteDown()
  const [{ id: deliveryId }] = await deliveries()
  const ctx = asSystem(w.t.ctx, 'job', 'test')
  const [channel, delivery] = [await findChannel(ctx, id), await findDelivery(ctx, deliveryId)]
  const outcome = await sendMails(ctx, channel!, delivery!, { mailMs: 100, allMs: 300 })
  expect(outcome).toMatchObject({ isFinal: false, someSent: false })
  expect(sockets.size).toBe(1)
  for (const socket of sockets) socket.destroy()
  hanging.close()
})
