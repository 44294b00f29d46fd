import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startPostgres, type TestPostgres } from '../test/postgres.ts'
import { all, clientOf, day, quiet } from '../test/sandbox.ts'
import { remoteControl, type Sandbox, startSandbox, startSandboxThread } from './index.ts'

let postgres: TestPostgres
const running: Sandbox[] = []
const noon = Date.parse('2026-11-21T12:00:00Z')

beforeAll(async () => {
  postgres = await startPostgres()
})
afterAll(async () => {
  await Promise.all(running.map((sandbox) => sandbox.stop()))
  await postgres?.stop()
})

async function start(databaseUrl: string, more: Partial<Parameters<typeof startSandbox>[0]> = {}): Promise<Sandbox> {
  const sandbox = await startSandbox({ databaseUrl, ...quiet, now: () => noon, size: { customers: 12 }, ...more })
  running.push(sandbox)
  return sandbox
}

async function dump(databaseUrl: string): Promise<string> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const { rows } = await client.query(
    `select kind, id, created, ord, deleted, doc, priv from sandbox.objects order by kind, created, ord, id`,
  )
  const dues = await client.query(`select kind, ref, at from sandbox.dues order by kind, ref`)
  await client.end()
  return JSON.stringify([rows, dues.rows], null, 1)
}

test('one seed and one day make one world; another seed another', async () => {
  const databases = await Promise.all([1, 2, 3].map(() => postgres.createDatabase()))
  const whole = { size: {} }
  await start(databases[0]!, whole)
  await start(databases[1]!, whole)
  await start(databases[2]!, { seed: 'another' })
  const [first, second, third] = await Promise.all(databases.map(dump))
  expect(first!.length).toBeGreaterThan(1_000_000)
  expect(second === first).toBe(true)
  expect(third === first).toBe(false)
})

test('the same steps lead two equal worlds to equal ends', async () => {
  const databases = [await postgres.createDatabase(), await postgres.createDatabase()]
  for (const databaseUrl of databases) {
    const sandbox = await start(databaseUrl)
    await sandbox.control.scenario('checkout_completed')
    await sandbox.advance(40 * day)
    await sandbox.control.scenario('refund_created', { amount: 100 })
  }
  expect((await dump(databases[0]!)) === (await dump(databases[1]!))).toBe(true)
})

test('a restart keeps the world, its key, its clock and its undelivered webhooks', async () => {
  const databaseUrl = await postgres.createDatabase()
  const first = await start(databaseUrl)
  await clientOf(first).webhookEndpoints.create({ url: 'http://127.0.0.1:9/nobody', enabled_events: ['*'] })
  await first.advance(3 * day)
  const { payment_intent: id } = await first.control.scenario('payment_succeeds')
  await first.stop()
  const before = await dump(databaseUrl)
  const second = await start(databaseUrl)
  expect(second.stripe.secretKey).toBe(first.stripe.secretKey)
  expect(second.control.now()).toBe(noon + 3 * day)
  expect((await clientOf(second).paymentIntents.retrieve(String(id))).status).toBe('succeeded')
  expect((await dump(databaseUrl)) === before).toBe(true)
  const answer = await fetch(`${second.stripe.baseUrl}/_sandbox/deliveries?state=pending`, {
    headers: { authorization: `Bearer ${second.stripe.secretKey}` },
  })
  expect(((await answer.json()) as unknown[]).length).toBeGreaterThan(3)
})

test('what would have happened while it was off happens at the next start', async () => {
  const databaseUrl = await postgres.createDatabase()
  const first = await start(databaseUrl)
  const invoices = (await all(clientOf(first).invoices.list({ limit: 100 }))).length
  await first.stop()
  const later = await start(databaseUrl, { now: () => noon + 31 * day })
  const after = await all(clientOf(later).invoices.list({ limit: 100 }))
  expect(after.length).toBeGreaterThan(invoices + 5)
  expect(
    after.filter(({ created }) => created * 1000 > noon).every(({ created }) => created * 1000 <= noon + 31 * day),
  ).toBe(true)
})

test('two processes on one database seed it once and see each other’s changes', async () => {
  const databaseUrl = await postgres.createDatabase()
  const [one, two] = await Promise.all([start(databaseUrl), start(databaseUrl)])
  expect(one!.stripe.secretKey).toBe(two!.stripe.secretKey)
  const made = await Promise.all(
    Array.from({ length: 10 }, (_, index) =>
      clientOf(index % 2 ? one! : two!).customers.create({ name: `Racer ${index}` }),
    ),
  )
  const listed = (await all(clientOf(one!).customers.list({ limit: 100 }))).map(({ id }) => id)
  expect(listed.slice(0, 10).sort()).toEqual(made.map(({ id }) => id).sort())
  expect(new Set(listed).size).toBe(listed.length)
})

test('the thread serves like the process, and ends when told', async () => {
  const databaseUrl = await postgres.createDatabase()
  const thread = await startSandboxThread({ databaseUrl, ...quiet, size: { customers: 3 } })
  expect(await all(clientOf(thread).customers.list())).toHaveLength(3)
  await thread.stop()
  await expect(fetch(`${thread.stripe.baseUrl}/v1/account`)).rejects.toThrow()
})

test('a thread that dies is started again at its address, with its world', async () => {
  const databaseUrl = await postgres.createDatabase()
  const thread = await startSandboxThread({ databaseUrl, ...quiet, size: { customers: 2 } })
  const stripe = clientOf(thread)
  const customer = await stripe.customers.create({ name: 'Survivor' })
  await remoteControl(thread.stripe).crash()
  const found = () =>
    stripe.customers.retrieve(customer.id).then(
      ({ id }) => id,
      () => 'away',
    )
  await expect.poll(found).toBe('away')
  await expect.poll(found).toBe(customer.id)
  await thread.stop()
})

test('a thread that cannot start says why', async () => {
  const databaseUrl = 'postgres://nobody@127.0.0.1:9/none'
  await expect(startSandboxThread({ databaseUrl })).rejects.toThrow(/ECONNREFUSED|connect/)
})

test('a large world streams in, and goes beyond the named cast', async () => {
  const databaseUrl = await postgres.createDatabase()
  const sandbox = await start(databaseUrl, { size: { customers: 90 } })
  const customers = await all(clientOf(sandbox).customers.list({ limit: 100 }))
  expect(customers.length).toBeGreaterThanOrEqual(89)
})
