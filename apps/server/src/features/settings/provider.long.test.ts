import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Sandbox } from '@agency/sandbox'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createTestContext, type TestContext, type TestContextOptions } from '../../../test/context.ts'
import { eventually } from '../../../test/eventually.ts'
import { startTestSandbox } from '../../../test/fixtures/mirror.ts'
import { secretsEnv } from '../../../test/people.ts'
import { request } from '../../../test/request.ts'
import { createConnection } from '../../connect.ts'
import { startMirror } from '../mirror/index.ts'
import { createSettingsKeeper } from './keeper.ts'

let account: Sandbox
let demo: Sandbox
let accountBase: string
let dataDir: string
const stops: (() => Promise<void>)[] = []
let closing: (() => Promise<unknown>)[] = []

/** The same world under the name of another account: two sandboxes tell the same one. */
async function startOtherAccount({ stripe }: Sandbox): Promise<string> {
  const server = createServer(async (request, response) => {
    const { method = 'GET', url, headers } = request
    const { authorization = '', 'content-type': type = 'text/plain' } = headers
    const sent = await text(request)
    const answer = await fetch(`${stripe.baseUrl}${url}`, {
      method,
      headers: { authorization, 'content-type': type },
      ...(sent !== '' && { body: sent }),
    })
    const body = (await answer.text()).replaceAll(/acct_\w+/g, 'acct_other')
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(body)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  stops.push(async () => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

beforeAll(async () => {
  for (const customers of [4, 7]) {
    const started = await startTestSandbox({ size: { customers }, seed: `seed-${customers}` })
    stops.push(started.stop)
    if (customers === 4) account = started.sandbox
    else demo = started.sandbox
  }
  accountBase = await startOtherAccount(account)
  dataDir = await mkdtemp(join(tmpdir(), 'provider-'))
})
afterEach(async () => {
  for (const close of closing.reverse()) await close()
  closing = []
})
afterAll(async () => {
  for (const stop of stops) await stop()
  await rm(dataDir, { recursive: true })
})

type Console = TestContext & { played: string[] }

/** A console as the real start makes it, with a sandbox that only notes when it is started and stopped. */
async function openConsole(options: TestContextOptions = {}): Promise<Console> {
  const test = await createTestContext({ env: { ...secretsEnv, DATA_DIR: dataDir }, ...options })
  const { ctx } = test
  const played: string[] = []
  const connection = createConnection({
    databaseUrl: test.database.connectionString,
    watch: ctx,
    playsSandbox: true,
    startSandbox: async () => {
      played.push('started')
      const { stripe, cloudflare, hosting } = demo
      return { stripe, cloudflare, hosting, stop: async () => void played.push('stopped') }
    },
  })
  ctx.replace(await connection.open(ctx.config))
  const keeper = ctx.instance(createSettingsKeeper)
  const stop = keeper.follow(connection.reopen)
  keeper.whenReconnected(() => startMirror(ctx, 'http://127.0.0.1:4999'))
  closing.push(test.close, connection.close, stop)
  return { ...test, played }
}

const patch = ({ ctx }: TestContext, changes: Record<string, unknown>) =>
  request(ctx).as(['admin.system']).patch('/admin/settings', { changes })

const customersOf = async ({ ctx }: TestContext): Promise<number> =>
  (await ctx.db.selectFrom('customers').select('id').where('deleted_at', 'is', null).execute()).length

const countOf = async (sandbox: Sandbox): Promise<number> => (await sandbox.control.dump('customer')).length

const given = () => ({ 'stripe.secret_key': account.stripe.secretKey, 'stripe.api_base': accountBase })

async function mirrorNow(console_: Console): Promise<void> {
  await startMirror(console_.ctx, 'http://127.0.0.1:4999')
  await console_.runJobs()
}

test('a key that is set takes the place of the sandbox, and the sandbox comes back when it is removed', async () => {
  const console_ = await openConsole()
  const { ctx, played } = console_
  expect(ctx.config.mode).toBe('demo')
  await mirrorNow(console_)
  expect(await customersOf(console_)).toBe(await countOf(demo))

  expect((await patch(console_, given())).statusCode).toBe(200)
  expect(ctx.config.mode).toBe('test')
  expect(played).toEqual(['started', 'stopped'])
  await eventually(() => expect(console_.enqueued.map(({ name }) => name)).toContain('mirror.connect'))
  await console_.runJobs()
  expect(await customersOf(console_)).toBe(await countOf(account))
  expect((await ctx.stripe?.getAccount())?.id).toBe('acct_other')
  // Deliveries that the account before signed are not taken any more.
  const { value } = await ctx.db
    .selectFrom('instance_settings')
    .select('value')
    .where('key', '=', 'mirror.webhook')
    .executeTakeFirstOrThrow()
  expect((value as { secrets: unknown[] }).secrets).toHaveLength(1)
  const endpoints = await ctx.stripe?.listWebhookEndpoints()
  expect(endpoints?.map(({ url }) => url)).toEqual(['http://127.0.0.1:4999/webhooks/stripe'])

  expect((await patch(console_, { 'stripe.secret_key': null, 'stripe.api_base': null })).statusCode).toBe(200)
  expect(ctx.config.mode).toBe('demo')
  expect(played).toEqual(['started', 'stopped', 'started'])
  await eventually(() => expect(console_.enqueued.map(({ name }) => name)).toContain('mirror.connect'))
  await console_.runJobs()
  expect(await customersOf(console_)).toBe(await countOf(demo))
})

test('work that began with the key before ends, and brings nothing of it into the mirror', async () => {
  const console_ = await openConsole()
  const before = console_.ctx.stripe?.in('bulk')
  demo.faults.next('stripe', { path: '/v1/customers' }, { delayMs: 2000 })
  const listing = before?.listObjects('customer')
  const refused = expect(listing).rejects.toThrow('The connection to Stripe was changed')
  await patch(console_, given())
  await refused
  await expect(before?.getAccount()).rejects.toThrow('The connection to Stripe was changed')
  expect((await console_.ctx.stripe?.getAccount())?.id).toBeDefined()
})

test('every process follows, and keeps its gateway while the provider stays the same', async () => {
  const first = await openConsole()
  const second = await openConsole({ env: { ...secretsEnv, DATA_DIR: dataDir }, database: first.database })
  const gatewayBefore = second.ctx.stripe
  await patch(first, given())
  await eventually(() => {
    expect(second.ctx.config).toMatchObject({ mode: 'test', stripe: { apiBase: accountBase } })
    expect(second.ctx.stripe).not.toBeNull()
    expect(second.ctx.stripe).not.toBe(gatewayBefore)
  })
  expect(await second.ctx.stripe?.getAccount()).toEqual(await first.ctx.stripe?.getAccount())
  await patch(second, { 'company.name': 'Harbor & Pine' })
  const kept = first.ctx.stripe
  await eventually(() => expect(first.ctx.config.settings.companyName).toBe('Harbor & Pine'))
  expect(first.ctx.stripe).toBe(kept)
})

test('another public address moves the webhook endpoint, with the same gateway', async () => {
  const console_ = await openConsole()
  await patch(console_, given())
  await eventually(() => expect(console_.enqueued.length).toBeGreaterThan(0))
  await console_.runJobs()
  const gateway = console_.ctx.stripe
  await patch(console_, { 'mail.public_url': 'https://console.example.com' })
  await eventually(() =>
    expect(console_.enqueued).toContainEqual({
      name: 'mirror.connect',
      input: { address: 'https://console.example.com' },
    }),
  )
  expect(console_.ctx.stripe).toBe(gateway)
})
