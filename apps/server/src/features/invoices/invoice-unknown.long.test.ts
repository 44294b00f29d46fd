import { describe, expect, test } from 'vitest'
import { uncertain, useWorld } from '../../../test/lost-answers.ts'
import { actionOf, actionsOf, auditOf, makeCustomer, newKey } from '../../../test/provider-world.ts'
import { startDyingConsole } from './test/dying-console.ts'
import { invoicesOf, makeInvoice, mirrored, order, resolve, startWorld, timesSent } from './test/world.ts'

const { world, later, fail, resolveInTime } = useWorld(startWorld, ({ console }) => resolve(console))

async function expectSentOnce(customer: string, key: string): Promise<void> {
  const [made, ...more] = await invoicesOf(world(), customer)
  expect(more).toEqual([])
  expect(made).toMatchObject({ status: 'open', total: 5999, lines: { data: [{ amount: 5000 }, { amount: 999 }] } })
  expect((made!['lines'] as { data: unknown[] }).data).toHaveLength(2)
  expect(await timesSent(world(), made!.id)).toBe(1)
  expect(await actionOf(world(), key)).toMatchObject({ state: 'done', result_id: made!.id, next_try_at: null })
  expect(await mirrored(world(), made!.id)).toMatchObject({ status: 'open', amount_due: 5999 })
  expect(await auditOf(world(), made!.id)).toHaveLength(1)
}

const steps = ['invoices.create', 'invoiceItems.create', 'invoices.finalizeInvoice', 'invoices.sendInvoice']
describe.each(steps)('at %s', (step) => {
  test.each([...uncertain, ['limited', 429] as const])(
    'an answer that is %s ends with one invoice, sent once',
    async (_name, effect) => {
      const customer = await makeCustomer(world())
      const key = newKey()
      fail(step, effect)
      const answer = await world().ada.create(order(customer), key)
      world().sandbox.faults.clear()
      if (answer.statusCode !== 200) {
        expect(answer.json()).toMatchObject({ status: 504, code: 'outcome_unknown' })
        expect(answer.json().detail).toContain('Outcome of the delivery of a new invoice for $59.99 unknown')
        expect(await actionOf(world(), key)).toMatchObject({ state: 'unknown' })
        expect((await world().ada.create(order(customer), key)).json()).toMatchObject({ code: 'outcome_unknown' })
        expect((await world().ada.create(order(customer), newKey())).json()).toMatchObject({
          status: 409,
          detail: expect.stringMatching(/^Ada started a delivery of a new invoice for \$59\.99 just now/),
        })
        await resolveInTime()
      }
      await expectSentOnce(customer, key)
      expect((await world().ada.create(order(customer), key)).json()).toMatchObject({ success: true })
    },
  )

  test('a limit that stays is no refusal once something of the invoice was made', async () => {
    const customer = await makeCustomer(world())
    const key = newKey()
    fail(step, { status: 429, retryAfter: 60 }, 1)
    const answer = await world().ada.create(order(customer), key)
    if (step === 'invoices.create') {
      expect(answer.json()).toMatchObject({
        code: 'provider_rate_limit',
        detail: expect.stringContaining('Nothing was changed'),
      })
      expect(await invoicesOf(world(), customer)).toEqual([])
      return
    }
    expect(answer.json()).toMatchObject({ code: 'outcome_unknown' })
    world().sandbox.faults.clear()
    await resolveInTime()
    await expectSentOnce(customer, key)
  })

  test('a failure that the provider keeps ends in no invoice, or in one that was not sent', async () => {
    const customer = await makeCustomer(world())
    const key = newKey()
    fail(step, { status: 500, kept: true }, 1)
    expect((await world().ada.create(order(customer), key)).statusCode).toBe(504)
    await resolveInTime()
    expect(await actionOf(world(), key)).toMatchObject({ state: 'failed', next_try_at: null })
    const made = await invoicesOf(world(), customer)
    if (step !== 'invoices.sendInvoice') expect(made).toEqual([])
    else expect(await timesSent(world(), made[0]!.id)).toBe(0)
    expect((await world().ada.create(order(customer), key)).json()).toMatchObject({
      code: 'provider_unavailable',
      detail: expect.stringContaining('Try again.'),
    })
  })

  test('a refusal leaves nothing behind', async () => {
    const customer = await makeCustomer(world())
    const key = newKey()
    fail(step, { status: 400, message: 'Not today.' }, 1)
    const answer = await world().ada.create(order(customer), key)
    expect(answer.json()).toMatchObject({ status: 422, detail: 'Stripe refused this: Not today.' })
    const made = await invoicesOf(world(), customer)
    if (step !== 'invoices.sendInvoice') expect(made).toEqual([])
    else expect(await timesSent(world(), made[0]!.id)).toBe(0)
    expect((await actionsOf(world(), customer)).map(({ state }) => state)).toEqual(['failed'])
  })
})

describe('a console that is killed', () => {
  test.each<[string, string, () => Promise<(customer: string) => Promise<boolean>>]>([
    [
      'after the draft',
      'invoiceItems.create',
      async () => async (customer) => (await invoicesOf(world(), customer)).length === 1,
    ],
    [
      'after the lines',
      'invoices.finalizeInvoice',
      async () => async (customer) => (await invoicesOf(world(), customer))[0]?.total === 5999,
    ],
    [
      'after it was made final',
      'invoices.sendInvoice',
      async () => async (customer) => (await invoicesOf(world(), customer))[0]?.status === 'open',
    ],
  ])('%s is followed by another one', async (_name, next, progress) => {
    const customer = await makeCustomer(world())
    const key = newKey()
    fail(next, { delayMs: 30_000 }, 1)
    const { lines, ...rest } = order(customer) as { lines: { quantity?: number }[] }
    const body = { ...rest, lines: lines.map((line) => ({ quantity: 1, ...line })) }
    const dying = startDyingConsole(world().sandbox, world().console.database.connectionString, { body, key })
    const isThere = await progress()
    await expect.poll(() => isThere(customer), { interval: 50 }).toBe(true)
    await dying.kill()
    world().sandbox.faults.clear()
    expect(await actionOf(world(), key)).toMatchObject({ state: 'started' })
    const two = await world().openProcess()
    await resolve(two)
    expect(await actionOf(world(), key)).toMatchObject({ state: 'started' })
    later(61_000)
    await resolve(two)
    await expectSentOnce(customer, key)
  })
})

describe('a day later', () => {
  test('an invoice of which nothing is there was not made', async () => {
    const customer = await makeCustomer(world())
    const key = newKey()
    fail('invoices.create', { connection: 'destroy' })
    await world().ada.create(order(customer), key)
    world().sandbox.faults.clear()
    await resolveInTime(24)
    expect(await actionOf(world(), key)).toMatchObject({ state: 'failed' })
    expect(await invoicesOf(world(), customer)).toEqual([])
  })

  test('a draft that was left is removed', async () => {
    const customer = await makeCustomer(world())
    const key = newKey()
    fail('invoiceItems.create', { connection: 'destroy' })
    await world().ada.create(order(customer), key)
    world().sandbox.faults.clear()
    await resolveInTime(24)
    expect(await actionOf(world(), key)).toMatchObject({ state: 'failed' })
    expect(await invoicesOf(world(), customer)).toEqual([])
  })

  test('one that was sent counts as sent', async () => {
    const customer = await makeCustomer(world())
    const key = newKey()
    fail('invoices.sendInvoice', { connection: 'lost' })
    fail('events.list', 503, 2)
    await world().ada.create(order(customer), key)
    world().sandbox.faults.clear()
    await resolveInTime(24)
    await expectSentOnce(customer, key)
  })
})

describe('an invoice that is there', () => {
  test.each([
    ['void', 'invoices.voidInvoice', 'void'],
    ['mark-uncollectible', 'invoices.markUncollectible', 'uncollectible'],
  ] as const)('is done once after a lost answer: %s', async (verb, call, becomes) => {
    const id = await makeInvoice(world(), await makeCustomer(world()))
    fail(call, { connection: 'lost' })
    const key = newKey()
    const answer = await world().ada.act(id, verb, key)
    // What the provider shows tells that it happened.
    expect(answer.json()).toMatchObject({ success: true, invoice: { status: becomes } })
    expect(await actionOf(world(), key)).toMatchObject({ state: 'done' })
  })

  test('blocks everything else while its outcome is open, and is resolved', async () => {
    const id = await makeInvoice(world(), await makeCustomer(world()))
    const key = newKey()
    fail('invoices.voidInvoice', { connection: 'destroy' })
    fail('invoices.retrieve', 503, null)
    expect((await world().ada.act(id, 'void', key)).json()).toMatchObject({ code: 'outcome_unknown' })
    world().sandbox.faults.clear()
    expect((await world().ada.act(id, 'send', newKey())).json()).toMatchObject({
      status: 409,
      detail: expect.stringMatching(/^Ada started a voiding of invoice \S+ just now; outcome unknown/),
    })
    await resolveInTime()
    expect(await actionOf(world(), key)).toMatchObject({ state: 'done' })
    expect(await mirrored(world(), id)).toMatchObject({ status: 'void' })
  })

  test('tells at once when the provider could not even be looked at', async () => {
    const id = await makeInvoice(world(), await makeCustomer(world()))
    fail('invoices.retrieve', 503, 2)
    expect((await world().ada.act(id, 'send', newKey())).json()).toMatchObject({
      code: 'provider_unavailable',
      detail: 'Stripe has an outage (503). Nothing was sent.',
    })
    expect(await timesSent(world(), id)).toBe(0)
  })
})
