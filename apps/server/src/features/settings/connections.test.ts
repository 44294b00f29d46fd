import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Server as TcpServer } from 'node:net'
import type { Sandbox } from '@agency/sandbox'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/context.ts'
import { startTestSandbox } from '../../../test/fixtures/mirror.ts'
import { startMailServer } from '../../../test/mail-server.ts'
import { secretsEnv } from '../../../test/people.ts'
import { request } from '../../../test/request.ts'
import { auditOf } from '../../../test/sign-in.ts'

let one: TestContext
let sandbox: Sandbox
let stopSandbox: () => Promise<void>
const servers: (Server | TcpServer)[] = []

beforeAll(async () => {
  ;({ sandbox, stop: stopSandbox } = await startTestSandbox({ size: { customers: 3 } }))
  one = await createTestContext({ env: secretsEnv })
})
afterAll(async () => {
  for (const server of servers) {
    if ('closeAllConnections' in server) server.closeAllConnections()
    server.close()
  }
  await one.close()
  await stopSandbox()
})

type Body = { integration: string; values?: Record<string, unknown>; send_to?: string }
const tryOut = (body: Body, test = one) => request(test.ctx).as(['admin.system']).post('/admin/settings/test', body)

async function serve(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const server = createServer(answer)
  servers.push(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Answers each path with the status and body of the table, else with 404. */
const serveTable = (table: Record<string, [number, unknown]>) =>
  serve(({ url = '' }, response) => {
    const [status, body] = table[url] ?? [404, {}]
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })

const stripe = (key = sandbox.stripe.secretKey, base = sandbox.stripe.baseUrl) => ({
  integration: 'stripe',
  values: { 'stripe.secret_key': key, 'stripe.api_base': base },
})

/** An address at which nobody listens any more. */
async function closedAddress(): Promise<string> {
  const address = await serve(() => {})
  const server = servers.pop()
  await new Promise((resolve) => server?.close(resolve))
  return address
}

/** Every row of the console's own tables, but for the audit log. */
async function digestOf({ ctx }: TestContext): Promise<string> {
  const { rows } = await ctx.pool.query<{ name: string }>(`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' and table_name not like 'audit%' order by 1`)
  const parts: string[] = []
  for (const { name } of rows) {
    const { rows: found } = await ctx.pool.query<{ digest: string }>(
      `select md5(coalesce(string_agg(t::text, ',' order by t::text), '')) as digest from "${name}" t`,
    )
    parts.push(`${name} ${found[0]?.digest}`)
  }
  return parts.join('\n')
}

describe('a test of a connection', () => {
  test('changes nothing but that it is written down', async () => {
    const before = await digestOf(one)
    const answer = await tryOut(stripe())
    expect(answer.json()).toMatchObject({ state: 'connected' })
    expect(await auditOf(one, answer)).toEqual(['Test custom: settings.test done'])
    const { rows } = await one.ctx.pool.query(`select json_agg(a)::text as audit from audit_entries a`)
    expect(rows[0].audit).not.toContain(sandbox.stripe.secretKey)
    expect(await digestOf(one)).toBe(before)
    expect(one.ctx.config.stripe.secretKey).toBeUndefined()
  })

  test.each(['stripe', 'cloudflare', 'smtp'])('of %s says that nothing is configured', async (integration) => {
    const answer = await tryOut({ integration })
    expect(answer.json()).toMatchObject({ integration, state: 'not_configured', message: 'Not configured' })
  })

  test.each<[Body, string]>([
    [{ integration: 'stripe', values: { 'mail.from': 'a@example.com' } }, 'mail.from'],
    [{ integration: 'stripe', values: { 'stripe.secret_key': 'nonsense' } }, 'stripe.secret_key'],
    [{ integration: 'stripe', values: { 'stripe.api_base': 'file:///etc/passwd' } }, 'stripe.api_base'],
    [{ integration: 'smtp', values: { 'mail.smtp_url': 'smtp://127.0.0.1:9' } }, 'mail.from'],
    [{ integration: 'smtp', values: {}, send_to: 'nobody' }, 'send_to'],
    [{ integration: 'telegram' }, 'integration'],
  ])('refuses %j', async (body, parameter) => {
    const answer = await tryOut(body)
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toMatchObject({ code: 'invalid_request', parameter })
  })

  test('sends a stored key only where it is sent anyway', async () => {
    const heard: string[] = []
    const evil = await serve(({ headers }, response) => {
      heard.push(String(headers.authorization))
      response.end('{}')
    })
    const { ctx } = one
    const save = (changes: Record<string, unknown>) =>
      request(ctx).as(['admin.system']).patch('/admin/settings', { changes })
    await save({ 'stripe.secret_key': 'sk_test_stored1', 'cloudflare.api_token': 'stored-token' })
    for (const integration of ['stripe', 'cloudflare']) {
      const answer = await tryOut({ integration, values: { [`${integration}.api_base`]: evil } })
      expect(answer.statusCode).toBe(400)
    }
    expect(heard).toEqual([])
    await save({ 'stripe.secret_key': null, 'cloudflare.api_token': null })
  })
})

describe('Stripe', () => {
  test('names the account and its side', async () => {
    expect((await tryOut(stripe())).json()).toMatchObject({
      state: 'connected',
      message: expect.stringMatching(/^Connected as .+, test mode$/),
      lacking: [],
    })
  })

  test('names what a restricted key may not read', async () => {
    sandbox.faults.next('stripe', { path: '/v1/refunds' }, { status: 403 })
    sandbox.faults.next('stripe', { path: '/v1/webhook_endpoints' }, { status: 403 })
    expect((await tryOut(stripe())).json()).toMatchObject({
      state: 'lacking',
      message: 'Connected, but missing: Refunds, Webhook endpoints',
      lacking: ['Refunds', 'Webhook endpoints'],
    })
  })

  test('that refuses the key, fails or is not there says why', async () => {
    const wrong = (await tryOut(stripe('sk_test_wrong'))).json()
    expect(wrong).toMatchObject({ state: 'unreachable', message: expect.stringContaining('refused the key (401)') })
    sandbox.faults.next('stripe', { path: '/v1/events' }, { status: 500 })
    expect((await tryOut(stripe())).json()).toMatchObject({
      state: 'unreachable',
      message: 'Unreachable: Stripe has an outage (500)',
    })
  })
})

/** Whoever takes the line and says nothing, as many servers do that speak something else. */
const silentAddress = (): Promise<string> => serve(() => {})

/** A server that speaks, but not HTTP. */
async function strangeAddress(): Promise<string> {
  const server = createTcpServer((socket) => socket.end('+OK ready\r\n'))
  servers.push(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** A little less than a try may take: a timer may be early by a millisecond. */
const wholeMs = 4900

test.concurrent.each([
  ['stripe', 'Stripe', { 'stripe.secret_key': 'sk_test_any' }],
  ['cloudflare', 'Cloudflare', { 'cloudflare.api_token': 'token-1' }],
])('a test of %s tells nothing of what listens inside', async (integration, provider, key) => {
  const page = serve((_, response) => response.writeHead(404, { 'content-type': 'text/html' }).end('<p>Not here'))
  const heard: (string | undefined)[] = []
  const elsewhere = await serve(({ url }, response) => {
    heard.push(url)
    response.end('{}')
  })
  const redirecting = serve((_, response) => response.writeHead(302, { location: elsewhere }).end())
  const inside = await Promise.all([
    ...[closedAddress(), silentAddress(), strangeAddress()],
    ...[page, redirecting, serveTable({})],
  ])
  const asked = inside.map(async (base) => {
    const start = performance.now()
    const answer = await tryOut({ integration, values: { ...key, [`${integration}.api_base`]: base } })
    return { ...answer.json(), isWhole: performance.now() - start > wholeMs }
  })
  const message = `Unreachable: no ${provider} server at this address`
  for (const answer of await Promise.all(asked)) expect(answer).toMatchObject({ message, isWhole: true })
  expect(heard).toEqual([])
})

describe('Cloudflare', () => {
  const zone = { id: 'z1', name: 'shop.example', account: { id: 'acc', name: 'Northlight' } }
  const answered = (result: unknown, total?: number): [number, unknown] => [
    200,
    { success: true, result, result_info: { total_count: total } },
  ]
  const analytics = (zones: unknown[]): [number, unknown] => [200, { data: { viewer: { zones } }, errors: null }]
  const refusal: [number, unknown] = [
    403,
    { success: false, errors: [{ code: 10000, message: 'Authentication error' }] },
  ]
  const whole: Record<string, [number, unknown]> = {
    '/user/tokens/verify': answered({ status: 'active' }),
    '/zones?per_page=5': answered([zone], 12),
    '/accounts?per_page=5': answered([{ id: 'acc' }]),
    '/zones/z1/settings/ssl': answered({ value: 'strict' }),
    '/zones/z1/dns_records?per_page=5': answered([]),
    '/graphql': analytics([{}]),
    '/accounts/acc/pages/projects': answered([]),
  }
  const body = (base: string, more: Record<string, unknown> = {}) => ({
    integration: 'cloudflare',
    values: { 'cloudflare.api_token': 'token-1', 'cloudflare.api_base': base, ...more },
  })
  const tried = async (table: Record<string, [number, unknown]>, more: Record<string, unknown> = {}) =>
    (await tryOut(body(await serveTable({ ...whole, ...table }), more))).json()

  test('names the account and counts its zones', async () => {
    expect(await tried({})).toMatchObject({
      state: 'connected',
      message: 'Connected as Northlight, 12 zones',
      account: 'Northlight',
    })
  })

  test('takes the token of the demo, and names what it may not do there', async () => {
    const { baseUrl, apiToken, accountId } = sandbox.cloudflare
    const demo = body(baseUrl, { 'cloudflare.api_token': apiToken, 'cloudflare.account_id': accountId })
    expect((await tryOut(demo)).json()).toMatchObject({ state: 'connected', lacking: [] })
    sandbox.faults.next('cloudflare', 'pages.projects.list', { status: 403 })
    expect((await tryOut(demo)).json()).toMatchObject({ state: 'lacking', lacking: ['Pages Read'] })
  })

  test('takes a token of an account, and says that it may not read zones', async () => {
    const id = 'a'.repeat(32)
    const table = {
      '/user/tokens/verify': [401, {}],
      [`/accounts/${id}/tokens/verify`]: answered({ status: 'active' }),
      '/zones?per_page=5': refusal,
      [`/accounts/${id}/pages/projects`]: answered([]),
    } satisfies Record<string, unknown>
    expect(await tried(table as Record<string, [number, unknown]>, { 'cloudflare.account_id': id })).toMatchObject({
      state: 'lacking',
      lacking: ['Zone Read'],
    })
  })

  test.each<[string, Record<string, [number, unknown]>, string]>([
    ['SSL modes', { '/zones/z1/settings/ssl': refusal }, 'Zone Settings Read'],
    ['DNS records', { '/zones/z1/dns_records?per_page=5': refusal }, 'DNS Read'],
    ['analytics, which come empty', { '/graphql': analytics([]) }, 'Analytics Read'],
    [
      'analytics, which are refused in words',
      { '/graphql': [200, { data: null, errors: [{ message: 'not authorized for that zone' }] }] },
      'Analytics Read',
    ],
    ['projects', { '/accounts/acc/pages/projects': refusal }, 'Pages Read'],
    [
      'one of two accounts',
      { '/accounts?per_page=5': answered([{ id: 'acc' }, { id: 'other' }]) },
      'CLOUDFLARE_ACCOUNT_ID: the token does not open exactly one account',
    ],
  ])('names the right that is missing to read %s', async (_what, table, right) => {
    expect(await tried(table)).toMatchObject({
      state: 'lacking',
      message: `Connected, but missing: ${right}`,
      lacking: [right],
    })
  })

  test('refuses the token in its own words', async () => {
    const unknown = { success: false, errors: [{ code: 1000, message: 'Invalid API Token' }] }
    expect(await tried({ '/user/tokens/verify': [401, unknown] })).toMatchObject({
      state: 'unreachable',
      message: 'Unreachable: Cloudflare refused the token (401)',
    })
  })

  test('says that the token is switched off, and that Cloudflare fails', async () => {
    expect(await tried({ '/user/tokens/verify': answered({ status: 'disabled' }) })).toMatchObject({
      state: 'unreachable',
      message: 'Unreachable: The token is disabled',
    })
    expect(
      await tried({ '/zones?per_page=5': [502, { success: false, errors: [{ code: 1, message: 'Down' }] }] }),
    ).toMatchObject({ state: 'unreachable' })
  })
})

describe('a mail server', () => {
  const body = (url: string, more: Partial<Body> = {}) => ({
    integration: 'smtp',
    values: { 'mail.smtp_url': url, 'mail.from': 'Console <console@example.com>' },
    ...more,
  })

  test('is signed in to, and takes a test mail when one is asked for', async () => {
    const server = await startMailServer({ user: 'console', password: 'secret-1', refused: ['gone@example.com'] })
    const account = `console at 127.0.0.1:${server.port}`
    expect((await tryOut(body(server.url))).json()).toMatchObject({
      state: 'connected',
      message: `Connected as ${account}`,
      account,
    })
    expect(server.received).toEqual([])
    expect((await tryOut(body(server.url, { send_to: 'ada@example.com' }))).json()).toMatchObject({
      state: 'connected',
      message: `Connected as ${account}; test email sent to ada@example.com`,
    })
    expect(server.received).toMatchObject([{ from: 'console@example.com', to: ['ada@example.com'] }])
    expect(server.received[0]?.raw).toContain('Subject: Test email from Agency Console')
    expect((await tryOut(body(server.url, { send_to: 'gone@example.com' }))).json()).toMatchObject({
      state: 'lacking',
      message: expect.stringContaining('No such mailbox here'),
    })
    const wrong = (await tryOut(body(server.url.replace('secret-1', 'wrong-1')))).json()
    expect(wrong).toMatchObject({ state: 'unreachable', message: expect.stringContaining('Wrong password') })
    expect(wrong.message).not.toContain('wrong-1')
    await server.stop()
    expect((await tryOut(body(server.url))).json()).toMatchObject({ state: 'unreachable' })
  })
})
