import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { writeEntries } from '../../../test/audit-log.ts'
import { createTestContext, runJob, type TestContext } from '../../../test/context.ts'
import { secretsEnv } from '../../../test/people.ts'
import { request } from '../../../test/request.ts'
import { createSecretBox } from '../../platform/secrets.ts'
import { readRing } from './seal.ts'

let t: TestContext
let status = 200
const bodies: string[] = []
const server = createServer(async (asked, answer) => {
  bodies.push(await text(asked))
  answer.writeHead(status).end()
})

beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t = await createTestContext({ env: secretsEnv })
  const { port } = server.address() as AddressInfo
  const hosts = new Set(['log.example.com'])
  t.ctx.replace({ demoHosts: { hosts: () => hosts, address: '127.0.0.1', httpPort: port, httpsPort: port, ca: '' } })
  await writeEntries(t, 3)
})
afterAll(async () => {
  await t.close()
  server.close()
})
beforeEach(() => {
  bodies.length = 0
  status = 200
})

const set = (changes: Record<string, unknown>) =>
  request(t.ctx).as(['admin.system']).patch('/admin/settings', { changes })
const send = () => runJob(t.ctx, 'audit.send-head')
const mails = async () =>
  (await t.ctx.pool.query(`select to_address, subject, sealed_text from mails order by id`)).rows
const notes = async () =>
  (await request(t.ctx).as('super_admin').get('/notifications'))
    .json()
    .notifications.map(({ title }: { title: string }) => title)

test('no head is sent where no target is set, and only to https addresses', async () => {
  await send()
  expect(await mails()).toEqual([])
  expect((await set({ 'audit.head_webhook': 'http://log.example.com/heads' })).statusCode).toBe(400)
})

test('one head a day is mailed to every recipient, sealed', async () => {
  await set({ 'audit.head_recipients': ['a@example.com', 'b@example.com'] })
  await send()
  await send()
  const sent = await mails()
  expect(sent.map(({ to_address }) => to_address).sort()).toEqual(['a@example.com', 'b@example.com'])
  const box = await t.ctx.instance(createSecretBox)
  const body = box.open(sent[0].sealed_text) ?? ''
  const line = JSON.parse(body.split('\n').find((row) => row.startsWith('{')) ?? '')
  expect((await readRing(t.ctx, box)).check(line)).toBe('good')
  t.clock.advance(86_400_000)
  await send()
  expect(await mails()).toHaveLength(4)
  await set({ 'audit.head_recipients': null })
})

test('one head a day goes to the webhook; what it refuses is tried again, told, and shown by the security check', async () => {
  // The certificate of a stand-in cannot be trusted, so plain http takes its place here.
  t.ctx.replace({
    config: { ...t.ctx.config, settings: { ...t.ctx.config.settings, headWebhook: 'http://log.example.com/heads' } },
  })
  t.clock.advance(86_400_000)
  status = 503
  await expect(send()).rejects.toThrow('503')
  expect(await notes()).toContain("Today's audit head could not be sent by webhook")
  const { run } = (await request(t.ctx).as('super_admin').post('/admin/security/checks')).json()
  expect(run.findings.find(({ id }: { id: string }) => id === 'audit_anchor').state).not.toBe('ok')
  status = 200
  await send()
  await send()
  expect(bodies).toHaveLength(2)
  const { type, ...line } = JSON.parse(bodies[1] ?? '')
  expect(type).toBe('audit.head')
  expect((await readRing(t.ctx, await t.ctx.instance(createSecretBox))).check(line)).toBe('good')
})
