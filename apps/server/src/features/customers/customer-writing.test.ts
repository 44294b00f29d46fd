import { randomUUID } from 'node:crypto'
import type { CustomerDetails, CustomerForm } from '@agency/contract/types'
import type { Sandbox } from '@agency/sandbox'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { runJob } from '../../../test/context.ts'
import { type Console, openConsole, startTestSandbox } from '../../../test/fixtures/mirror.ts'
import { type Caller, request } from '../../../test/request.ts'
import { createStripeGateway } from '../../integrations/stripe/client.ts'

let sandbox: Sandbox
let stop: () => Promise<void>
let console_: Console

beforeAll(async () => {
  ;({ sandbox, stop } = await startTestSandbox({ size: { customers: 2 } }))
  console_ = await openConsole(sandbox)
})

afterAll(async () => {
  await console_?.close()
  await stop?.()
})

afterEach(() => sandbox.faults.clear())

type Body = Record<string, unknown>
const ada = (): Caller => request(console_.ctx).as('admin')
const add = (body: Body, key: string = randomUUID()) =>
  ada().post('/stripe/customers', body, { 'idempotency-key': key })
const change = (id: string, body: Body, key: string = randomUUID()) =>
  ada().patch(`/stripe/customers/${id}`, body, { 'idempotency-key': key })
const formOf = async (id: string): Promise<CustomerForm> =>
  (await ada().get(`/stripe/customers/${id}/form`)).json().form

/** A name that no other customer has. */
const newName = () => `Ada ${randomUUID()}`

async function added(body: Body = {}): Promise<{ id: string; name: string; version: string }> {
  const name = newName()
  const { customer } = (await add({ name, ...body })).json() as { customer: CustomerDetails }
  return { id: customer.id, name, version: (await formOf(customer.id)).version }
}

type AtStripe = { id: string; name: string | null; email: string | null; metadata: Record<string, string> } & Body
const atStripe = async (name: string) =>
  ((await sandbox.control.dump('customer')) as AtStripe[]).filter((customer) => customer.name === name)
const oneAtStripe = async (id: string) =>
  ((await sandbox.control.dump('customer')) as AtStripe[]).find((customer) => customer.id === id)

/** What somebody does in Stripe's own dashboard. */
async function atStripeDo(method: 'POST' | 'DELETE', id: string, body?: string): Promise<void> {
  const headers = {
    authorization: `Bearer ${sandbox.stripe.secretKey}`,
    'content-type': 'application/x-www-form-urlencoded',
  }
  const response = await fetch(`${sandbox.stripe.baseUrl}/v1/customers/${id}`, { method, headers, body: body ?? null })
  expect(response.status).toBe(200)
}

const writesSince = (from: number) =>
  sandbox
    .requestLog()
    .slice(from)
    .filter(({ method }) => method !== 'GET')

const entriesOf = (id: string) =>
  console_.ctx.db
    .selectFrom('audit_entries')
    .select(['action', 'actor_name', 'before', 'after', 'outcome'])
    .where('resource_type', '=', 'customer')
    .where('resource_id', '=', id)
    .orderBy('id')
    .execute()

const stateOf = (after: unknown) => (after as Body)['state']

const mirrored = (id: string) =>
  console_.ctx.db.selectFrom('customers').selectAll().where('id', '=', id).executeTakeFirst()

describe('adding', () => {
  test('makes the customer at Stripe, mirrors it and writes it down', async () => {
    const name = newName()
    const answer = await add({
      name,
      email: 'ada@engines.example',
      phone: '+1 207 555 0100',
      company: 'Engines',
      account_type: 'enterprise',
      address: { line1: '1 Main St', city: 'Bangor', country: 'us' },
      metadata: { vip: 'yes' },
    })
    expect(answer.statusCode).toBe(200)
    const { customer } = answer.json()
    expect(customer).toMatchObject({
      ...{ name, email: 'ada@engines.example', phone: '+1 207 555 0100', country: 'US', account_type: 'enterprise' },
      ...{ status: 'pending', deleted: false, metadata: { company: 'Engines', vip: 'yes' } },
    })
    const [there, ...others] = await atStripe(name)
    expect(others).toEqual([])
    expect(there).toMatchObject({
      id: customer.id,
      metadata: { company: 'Engines', account_type: 'enterprise', vip: 'yes' },
      address: { line1: '1 Main St', city: 'Bangor', country: 'US', line2: null },
    })
    expect(await mirrored(customer.id)).toMatchObject({ name, source: 'action', company: 'Engines' })
    expect(await entriesOf(customer.id)).toEqual([
      expect.objectContaining({
        action: 'customer.create',
        actor_name: 'Test admin',
        outcome: 'done',
        after: expect.objectContaining({ name, account_type: 'enterprise', metadata: { vip: 'yes' } }),
      }),
    ])
  })

  test('a double click makes one customer, one entry and the same answer', async () => {
    const name = newName()
    const key = randomUUID()
    const answers = await Promise.all([add({ name }, key), add({ name }, key)])
    const last = await add({ name }, key)
    expect(last.statusCode).toBe(200)
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, expect.toBeOneOf([200, 409])])
    expect(await atStripe(name)).toHaveLength(1)
    expect(await entriesOf(last.json().customer.id)).toHaveLength(1)
  })

  test('refuses a key that was used for another customer, and sends nothing', async () => {
    const key = randomUUID()
    await add({ name: newName() }, key)
    const from = sandbox.requestLog().length
    const answer = await add({ name: newName() }, key)
    expect(answer.json()).toMatchObject({ status: 409, code: 'idempotency_conflict' })
    expect(writesSince(from)).toEqual([])
  })

  test('finds what it made when the answer was lost on the way', async () => {
    const name = newName()
    sandbox.faults.next('stripe', 'customers.create', { connection: 'lost' }, 2)
    const answer = await add({ name })
    expect(answer.statusCode).toBe(200)
    expect(await atStripe(name)).toHaveLength(1)
    expect(await entriesOf(answer.json().customer.id)).toHaveLength(1)
  })

  test('says that the outcome is unknown, and a repeat under the same key makes nothing twice', async () => {
    const name = newName()
    const key = randomUUID()
    sandbox.faults.next('stripe', 'customers.create', { connection: 'lost' }, null)
    sandbox.faults.next('stripe', 'customers.list', { connection: 'destroy' }, null)
    const lost = await add({ name }, key)
    expect(lost.json()).toMatchObject({ status: 504, code: 'outcome_unknown' })
    expect(lost.json().detail).toContain('Trying again is safe')
    sandbox.faults.clear()
    expect(await atStripe(name)).toHaveLength(1)
    const again = await add({ name }, key)
    expect(again.statusCode).toBe(200)
    expect(await atStripe(name)).toHaveLength(1)
    expect(await entriesOf(again.json().customer.id)).toHaveLength(1)
  })

  test('ends in its time while Stripe is silent, and is settled once Stripe answers again', async () => {
    const { secretKey, baseUrl: apiBase } = sandbox.stripe
    const { stripe } = console_.ctx
    console_.ctx.replace({ stripe: createStripeGateway({ secretKey, apiBase, timeoutMs: 200, callMs: 500 }) })
    const name = newName()
    sandbox.faults.next('stripe', 'customers.*', { delayMs: 60_000 }, null)
    const lost = await add({ name }, randomUUID()).finally(() => console_.ctx.replace({ stripe }))
    expect(lost.json()).toMatchObject({ status: 504, code: 'outcome_unknown' })
    sandbox.faults.clear()
    console_.clock.advance(6000)
    await runJob(console_.ctx, 'billing.resolve-actions', {})
    expect(await atStripe(name)).toHaveLength(1)
    const { rows } = await console_.ctx.pool.query('select id from customers where name = $1', [name])
    expect(rows).toHaveLength(1)
  })

  test('says that nothing was saved when Stripe failed, and a new try succeeds', async () => {
    const name = newName()
    sandbox.faults.next('stripe', 'customers.create', 500)
    const failed = await add({ name })
    expect(failed.json()).toMatchObject({ status: 503, code: 'provider_unavailable' })
    expect(failed.json().detail).toBe('Stripe has an outage (500). Nothing was saved: try again.')
    expect(await atStripe(name)).toEqual([])
    expect((await add({ name })).statusCode).toBe(200)
  })

  test('passes a refusal of Stripe on with the field that it is about', async () => {
    const name = newName()
    const answer = await add({ name, email: 'two words@example.com' })
    expect(answer.json()).toMatchObject({ status: 422, code: 'provider_invalid', parameter: 'email' })
    expect(answer.json().detail).toContain('Invalid email address')
    expect(await atStripe(name)).toEqual([])
  })

  test('keeps hostile text as it is', async () => {
    const name = `<img src=x onerror=alert(1)> ${randomUUID()} '; drop table customers; -- שלום`
    const { customer } = (await add({ name, metadata: { '=cmd|calc': '</script>\n\u202Eevil' } })).json()
    expect(customer).toMatchObject({ name, metadata: { '=cmd|calc': '</script>\n\u202Eevil' } })
    expect(await oneAtStripe(customer.id)).toMatchObject({ name })
  })

  test.each<[string, Body, string]>([
    ['nobody', {}, 'name'],
    ['blanks for a name', { name: '  ' }, 'name'],
    ['a name of two lines', { name: 'Ada\nLovelace' }, 'name'],
    ['a name that is too long', { name: 'x'.repeat(257) }, 'name'],
    ['a phone number that is too long', { name: 'A', phone: '1'.repeat(21) }, 'phone'],
    ['an account type of its own', { name: 'A', account_type: 'gold' }, 'account_type'],
    ['a country that is none', { name: 'A', address: { country: 'USA' } }, 'address.country'],
    ['a key that is too long', { name: 'A', metadata: { ['k'.repeat(41)]: 'x' } }, 'metadata'],
    ['a key with brackets', { name: 'A', metadata: { 'a[b]': 'x' } }, 'metadata'],
    ['a value that is too long', { name: 'A', metadata: { a: 'x'.repeat(501) } }, 'metadata.a'],
    ['a key of the console', { name: 'A', metadata: { action_id: 'x' } }, 'metadata'],
    [
      'too many keys',
      { name: 'A', metadata: Object.fromEntries(Array.from({ length: 48 }, (_, index) => [`k${index}`, 'x'])) },
      'metadata',
    ],
    ['a field that is none', { name: 'A', balance: 7 }, 'balance'],
  ])('refuses %s and sends nothing', async (_, body, parameter) => {
    const from = sandbox.requestLog().length
    const { status, parameter: named } = (await add(body)).json()
    expect(status).toBe(400)
    expect(named.split('.')[0]).toBe(parameter.split('.')[0])
    expect(writesSince(from)).toEqual([])
  })
})

describe('changing', () => {
  test('sends what differs only, removes keys as Stripe wants it, and writes both sides down', async () => {
    const { id, name, version } = await added({ phone: '1', company: 'Engines', metadata: { vip: 'yes', old: '1' } })
    const from = sandbox.requestLog().length
    const answer = await change(id, {
      ...{ version, name, phone: '2', company: null },
      metadata: { vip: 'yes', old: null, tier: 'a' },
    })
    expect(answer.statusCode).toBe(200)
    const [sent, ...more] = writesSince(from)
    expect(more).toEqual([])
    const { expand: _, ...params } = sent!.params
    expect(params).toEqual({ phone: '2', business_name: '', metadata: { company: '', old: '', tier: 'a' } })
    const { metadata } = (await oneAtStripe(id))!
    expect(metadata).toEqual({ vip: 'yes', tier: 'a', action_id: expect.any(String) })
    expect(await mirrored(id)).toMatchObject({ phone: '2', company: null })
    expect((await entriesOf(id)).at(-1)).toMatchObject({
      action: 'customer.update',
      before: { phone: '1', company: 'Engines', metadata: { old: '1', tier: null } },
      after: { phone: '2', company: null, metadata: { old: null, tier: 'a' } },
    })
  })

  test('changes and unsets the address', async () => {
    const { id, version } = await added({ address: { line1: '1 Main St', city: 'Bangor', country: 'US' } })
    const moved = await change(id, { version, address: { line1: '2 Main St', country: 'CA' } })
    expect(moved.json().customer.country).toBe('CA')
    expect(await oneAtStripe(id)).toMatchObject({ address: { line1: '2 Main St', city: null, country: 'CA' } })
    const gone = await change(id, { version: (await formOf(id)).version, address: null })
    expect(gone.json().customer.country).toBeNull()
    expect((await oneAtStripe(id))!['address']).toBeNull()
  })

  test('sends nothing when nothing differs, and writes nothing down', async () => {
    const { id, name, version } = await added({ metadata: { vip: 'yes' } })
    const from = sandbox.requestLog().length
    expect((await change(id, { version, name, metadata: { vip: 'yes', gone: null } })).statusCode).toBe(200)
    expect(writesSince(from)).toEqual([])
    expect(await entriesOf(id)).toHaveLength(1)
  })

  test('refuses when the customer has changed meanwhile, and shows what it is now', async () => {
    const { id, version } = await added()
    await atStripeDo('POST', id, 'name=Changed+elsewhere')
    const refused = await change(id, { version, phone: '7' })
    expect(refused.json()).toMatchObject({ status: 409, code: 'conflict', parameter: 'version' })
    const form = await formOf(id)
    expect(form.name).toBe('Changed elsewhere')
    const { statusCode } = await change(id, { version: form.version, phone: '7' })
    expect(statusCode).toBe(200)
    expect(await oneAtStripe(id)).toMatchObject({ name: 'Changed elsewhere', phone: '7' })
  })

  test('of two changes at once one is refused or made to the state after the other', async () => {
    const { id, version } = await added()
    const answers = await Promise.all(['1', '2', '3'].map((phone) => change(id, { version, phone })))
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409, 409])
  })

  test('recognizes its own change when the answer was lost, and repeats nothing', async () => {
    const { id, version } = await added()
    const key = randomUUID()
    sandbox.faults.next('stripe', 'customers.update', { connection: 'lost' }, 2)
    expect((await change(id, { version, phone: '8' }, key)).statusCode).toBe(200)
    expect((await change(id, { version, phone: '8' }, key)).statusCode).toBe(200)
    expect(await entriesOf(id)).toHaveLength(3)
  })

  test('a repeat after an unknown outcome is not refused as a change by somebody else', async () => {
    const { id, version } = await added()
    const key = randomUUID()
    sandbox.faults.next('stripe', 'customers.update', { connection: 'lost' }, null)
    // The look before the change is let through, the one after it is not.
    sandbox.faults.next('stripe', 'customers.retrieve', { delayMs: 0 }, 1)
    sandbox.faults.next('stripe', 'customers.retrieve', { connection: 'destroy' }, null)
    const lost = await change(id, { version, phone: '9' }, key)
    expect(lost.json()).toMatchObject({ code: 'outcome_unknown' })
    sandbox.faults.clear()
    expect((await change(id, { version, name: 'Grace' })).json()).toMatchObject({
      ...{ status: 409, code: 'conflict' },
      detail: expect.stringMatching(/^Test admin started a change of a customer .* Wait for that first\.$/),
    })
    const again = await change(id, { version, phone: '9' }, key)
    expect(again.json().customer).toMatchObject({ phone: '9' })
    expect((await entriesOf(id)).map(({ action, actor_name, after }) => [action, actor_name, stateOf(after)])).toEqual([
      ['customer.create', 'Test admin', 'done'],
      ['customer.update', 'Test admin', 'requested'],
      ['customer.update', 'Test admin', 'done'],
    ])
    expect((await entriesOf(id)).at(-1)).toMatchObject({ before: { phone: null }, after: { phone: '9' } })
  })

  test('says that nothing was saved when Stripe failed', async () => {
    const { id, version } = await added()
    sandbox.faults.next('stripe', 'customers.update', 500)
    const failed = await change(id, { version, phone: '5' })
    expect(failed.json()).toMatchObject({ status: 503, code: 'provider_unavailable' })
    expect((await change(id, { version, phone: '5' })).statusCode).toBe(200)
  })

  test('refuses a customer that was deleted, or never was', async () => {
    const { id, version } = await added()
    await atStripeDo('DELETE', id)
    const refused = await change(id, { version, name: 'Ghost' })
    expect(refused.json()).toMatchObject({ status: 409, code: 'conflict' })
    await console_.ctx.pool.query('update customers set deleted_at = now() where id = $1', [id])
    expect((await change(id, { version, name: 'Ghost' })).statusCode).toBe(409)
    // The console learns of a change that it did not make itself a moment later.
    const form = async () => (await ada().get(`/stripe/customers/${id}/form`)).statusCode
    await expect.poll(form).toBe(409)
    expect((await change('cus_none', { version, name: 'Ghost' })).statusCode).toBe(404)
    expect((await ada().get('/stripe/customers/cus_none/form')).statusCode).toBe(404)
  })

  test('needs a version', async () => {
    const { id } = await added()
    expect((await change(id, { name: 'Grace' })).json()).toMatchObject({ status: 400, parameter: 'version' })
  })
})

describe('who has an email', () => {
  test('is found without regard to case, and without the one that is changed', async () => {
    const email = `${randomUUID()}@Example.com`
    const first = await added({ email })
    const second = await added({ email: email.toLowerCase() })
    const ask = async (query: string) =>
      (await ada().get(`/stripe/customers-by-email?email=${encodeURIComponent(email.toUpperCase())}${query}`)).json()
    const all = await ask('')
    expect(all.has_more).toBe(false)
    expect(all.customers.map(({ id }: { id: string }) => id).sort()).toEqual([first.id, second.id].sort())
    const others = await ask(`&except=${first.id}`)
    expect(others.customers).toMatchObject([{ id: second.id, name: second.name }])
    const none = await ada().get('/stripe/customers-by-email?email=nobody%25')
    expect(none.json()).toEqual({ customers: [], has_more: false })
  })

  test('does not keep anybody from saving', async () => {
    const email = `${randomUUID()}@example.com`
    await added({ email })
    expect((await add({ name: newName(), email })).statusCode).toBe(200)
  })
})

test.each<[string, (caller: Caller) => Promise<{ statusCode: number }>]>([
  ['adding', (caller) => caller.post('/stripe/customers', { name: 'X' })],
  ['changing', (caller) => caller.patch('/stripe/customers/cus_1', { version: 'x', name: 'X' })],
  ['the form', (caller) => caller.get('/stripe/customers/cus_1/form')],
])('%s needs customers.write', async (_, call) => {
  const from = sandbox.requestLog().length
  expect((await call(request(console_.ctx).as(['customers.read', 'customers.delete']))).statusCode).toBe(403)
  expect(writesSince(from)).toEqual([])
})

test('nothing is written while Stripe is not connected', async () => {
  const apart = await openConsole(sandbox, { stripe: null })
  const answer = await request(apart.ctx).as('admin').post('/stripe/customers', { name: 'X' })
  expect(answer.json()).toMatchObject({ status: 503, code: 'not_connected' })
  await apart.close()
})
