import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readApiDocument } from '../test/api-document.ts'
import { cloudflareAt } from '../test/cloudflare.ts'
import { runJob } from '../test/context.ts'
import { type Console, importAll, openConsole, startTestSandbox } from '../test/fixtures/mirror.ts'
import { type Document, damaged, hostileRequests, type KnownValues } from '../test/hostile-requests.ts'
import { type Caller, createTestApp, request } from '../test/request.ts'

/** As many as a minute allows; HOSTILE_REQUESTS asks for more, HOSTILE_SEED for others. */
const requests = Number(process.env['HOSTILE_REQUESTS'] ?? 1500)
const seed = Number(process.env['HOSTILE_SEED'] ?? 1)
const webhookSecret = 'whsec_of_hostile_requests'

/** They never end, or ask an address outside of the test. */
const leftOut = new Set([
  'GET /events',
  'GET /deployments/{id}/log/stream',
  'POST /admin/settings/test',
  'POST /sites/{id}/probe',
])

const read = (name: string) => JSON.parse(readFileSync(new URL(name, import.meta.url), 'utf8')) as unknown

let outside: Awaited<ReturnType<typeof startTestSandbox>>
let console_: Console
let caller: Caller
let known: KnownValues

beforeAll(async () => {
  outside = await startTestSandbox({ size: { customers: 12 }, cloudflare: { requestLimit: 0 } })
  console_ = await openConsole(outside.sandbox, {
    // Its tables are asked for too.
    jobs: 'real',
    env: { STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_WEBHOOK_SECRET: webhookSecret },
    cloudflare: cloudflareAt(outside.sandbox.cloudflare),
  })
  await importAll(console_.system)
  await runJob(console_.ctx, 'domains.refresh')
  caller = request(console_.ctx).as('super_admin')
  known = await knownValues()
})

afterAll(async () => {
  await console_?.close()
  await outside?.stop()
})

async function idsOf(path: string, list: string): Promise<string[]> {
  const answer = await caller.get(path)
  expect([path, answer.statusCode]).toEqual([path, 200])
  return (answer.json()[list] as { id: string }[]).map(({ id }) => id)
}

async function knownValues(): Promise<KnownValues> {
  const customers = await idsOf('/stripe/customers?limit=12', 'customers')
  await caller.post('/sites', { domain: 'hostile.example', site_name: 'Hostile', customer_id: customers[0] })
  const [payments, subscriptions, zones, sites, users, roles] = await Promise.all([
    idsOf('/stripe/payments?limit=40', 'payments'),
    idsOf('/stripe/subscriptions?limit=40', 'subscriptions'),
    idsOf('/cloudflare/domains?limit=5', 'domains'),
    idsOf('/sites?limit=5', 'sites'),
    idsOf('/admin/users?limit=5', 'users'),
    idsOf('/admin/roles', 'roles'),
  ])
  const invoices = await idsOf(`/stripe/customers/${customers[0]}/invoices?limit=5`, 'invoices')
  const emails = ['somebody@example.com', 'customer@example.com']
  return {
    ...{ customers, payments, subscriptions, zones, sites, users, roles, invoices, domains: zones },
    ...{ customer: customers, customer_id: customers, subscription: subscriptions, invoice: invoices, email: emails },
    ...{ purchases: payments, limit: ['1', '100'], range: ['7d', '30d'], id: [...payments, ...subscriptions] },
  }
}

describe('hostile requests', () => {
  test('no call of the document answers any of them with a fault of ours', async () => {
    const document = readApiDocument() as Document
    const made = fc.sample(hostileRequests(document, known, leftOut), { numRuns: requests, seed })
    const statuses: Record<string, number> = {}
    const faults: string[] = []
    for (const one of made) {
      const { statusCode, body } = await caller.inject(one)
      statuses[statusCode] = (statuses[statusCode] ?? 0) + 1
      if (statusCode >= 500)
        faults.push(`${one.method} ${one.url} ${String(one.payload)}: ${statusCode} ${body}`.slice(0, 700))
    }
    expect(faults).toEqual([])
    // Else they would all be refused at the door, and prove nothing.
    expect(statuses['200'] ?? 0).toBeGreaterThan(requests / 20)
    expect(statuses['400'] ?? 0).toBeGreaterThan(requests / 20)
  })

  test('no signed delivery, however odd, is answered with a fault of ours', async () => {
    const samples = Object.values(read('../test/fixtures/stripe-samples.json') as Record<string, unknown>)
    const event = fc.record({
      id: fc.uuid().map((id) => `evt_${id}`),
      object: fc.constant('event'),
      type: fc.constantFrom('customer.updated', 'charge.refunded', 'invoice.paid', 'nothing.known'),
      created: fc.constant(Math.floor(console_.ctx.clock() / 1000)),
      api_version: fc.constant('2026-10-28.endive'),
      livemode: fc.boolean(),
      data: fc.record({ object: fc.constantFrom(...samples) }),
    })
    const made = fc.sample(event.chain(damaged), { numRuns: requests, seed })
    const app = console_.ctx.instance(createTestApp)
    const faults: string[] = []
    for (const one of made) {
      const payload = JSON.stringify(one) ?? ''
      const at = Math.floor(console_.ctx.clock() / 1000)
      const signature = createHmac('sha256', webhookSecret).update(`${at}.${payload}`).digest('hex')
      const headers = { 'content-type': 'application/json', 'stripe-signature': `t=${at},v1=${signature}` }
      const { statusCode, body } = await app.inject({ method: 'POST', url: '/webhooks/stripe', headers, payload })
      if (statusCode >= 500) faults.push(`${payload}: ${statusCode} ${body}`.slice(0, 700))
    }
    expect(faults).toEqual([])
  })
})
