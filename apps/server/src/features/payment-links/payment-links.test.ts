import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeLink, makePrice } from '../../../test/new-orders.ts'
import {
  actionOf,
  atProvider,
  auditOf,
  logLength,
  mirror,
  newKey,
  type ProviderWorld,
  sentSince,
  startProviderWorld,
} from '../../../test/provider-world.ts'
import { request } from '../../../test/request.ts'

let world: ProviderWorld
beforeAll(async () => {
  world = await startProviderWorld()
})
afterAll(() => world?.close())

const root = () => request(world.console.ctx).as('super_admin')
const create = (body: object, key = newKey()) => root().post('/stripe/payment-links', body, { 'idempotency-key': key })
const preview = (body: object) => root().post('/stripe/payment-links/preview', body)
const switchIt = (id: string, active: boolean, key = newKey()) =>
  root().post(`/stripe/payment-links/${id}/switch`, { active }, { 'idempotency-key': key })
const get = async (id: string) => (await root().get(`/stripe/payment-links/${id}`)).json()
const list = async (query: string) => (await root().get(`/stripe/payment-links?${query}`)).json()

type Doc = { id: string; url: string; metadata?: Record<string, string> } & Record<string, unknown>
const docs = async () => (await world.sandbox.control.dump('payment_link')) as Doc[]
const atStripe = async (id: string) => (await docs()).find((doc) => doc.id === id)
const madeBy = async (action: string) => (await docs()).filter(({ metadata }) => metadata?.['action_id'] === action)

const oncePrice = () => makePrice(world, { unit_amount: '89000', 'recurring[interval]': '' })
const productOf = (price: string) =>
  world.console.ctx.db
    .selectFrom('prices')
    .innerJoin('products', 'products.id', 'prices.product_id')
    .select(['products.id', 'products.name'])
    .where('prices.id', '=', price)
    .executeTakeFirstOrThrow()

describe('a new payment link', () => {
  test('sells what was asked for, as the preview says, at Stripe and in the list', async () => {
    const price = await makePrice(world)
    const { name } = await productOf(price)
    const asked = { price, quantity: 2, adjustable_quantity: true, allow_promotion_codes: true, trial_days: 14 }
    const terms = '14 days free, then $38.00 per month (2 × $19.00)'
    const facts = [
      'The customer pays nothing for 14 days, then $38.00 per month until cancelled.',
      'The customer enters a card first, although the trial is free.',
      'The customer can change the quantity before paying, from 1 to 99.',
      'The customer can enter a promotion code.',
    ]
    const from = logLength(world)
    expect((await preview(asked)).json()).toEqual({ name, terms, due_now: 0, currency: 'usd', facts })
    expect(world.sandbox.requestLog().slice(from)).toEqual([])

    const answer = await create(asked)
    expect(answer.statusCode, answer.body).toBe(200)
    const link = answer.json().payment_link
    const doc = await atStripe(link.id)
    expect(link).toMatchObject({
      ...{ name, terms, state: 'active', currency: 'usd', allow_promotion_codes: true, trial_days: 14, payments: null },
      items: [
        {
          ...{ price_id: price, name, quantity: 2, terms: '$38.00 per month (2 × $19.00)' },
          ...{ adjustable: { minimum: 0, maximum: 99 }, is_offered: true },
        },
      ],
      url: `${world.sandbox.stripe.baseUrl}${new URL(doc!.url).pathname}`,
    })
    expect(doc).toMatchObject({
      ...{ active: true, allow_promotion_codes: true, subscription_data: { trial_period_days: 14 } },
      line_items: { data: [{ quantity: 2, adjustable_quantity: { enabled: true }, price: { id: price } }] },
    })
    expect((await list(`search=${encodeURIComponent(name)}`)).payment_links).toEqual([link])
    expect((await list(`search=${encodeURIComponent(link.url)}`)).payment_links).toEqual([link])
    expect(await get(link.id)).toEqual({ payment_link: link, facts })
    const page = await fetch(link.url)
    expect(await page.text()).toContain(name)
    expect(await auditOf(world, link.id)).toEqual(['Test super_admin payment_link.create done done'])
  })

  test('may sell what is paid once', async () => {
    const price = await oncePrice()
    const answer = await create({ price })
    expect(answer.json().payment_link).toMatchObject({ terms: '$890.00 once', trial_days: null })
    expect((await preview({ price, quantity: 3 })).json()).toMatchObject({
      ...{ terms: '$2,670.00 once (3 × $890.00)', due_now: 267_000, facts: ['The customer pays $2,670.00 once.'] },
    })
  })

  test('by tiers costs what Stripe says', async () => {
    const price = await makePrice(world, {
      ...{ unit_amount: '', billing_scheme: 'tiered', tiers_mode: 'graduated' },
      ...{ 'tiers[0][up_to]': '5', 'tiers[0][unit_amount]': '1200' },
      ...{ 'tiers[1][up_to]': 'inf', 'tiers[1][unit_amount]': '900' },
    })
    const shown = (await preview({ price, quantity: 6 })).json()
    expect(shown).toMatchObject({ terms: '$69.00 for 6 per month', due_now: 6900 })
    expect((await create({ price, quantity: 6 })).json().payment_link).toMatchObject({ terms: shown.terms })
  })

  test('is made once for a double press and for a repeat', async () => {
    const price = await makePrice(world)
    const key = newKey()
    const answers = await Promise.all([create({ price }, key), create({ price }, key)])
    const done = answers.find(({ statusCode }) => statusCode === 200)
    expect((await create({ price }, key)).json()).toEqual(done?.json())
    expect(await madeBy(key)).toHaveLength(1)
    expect((await create({ price, quantity: 2 }, key)).json()).toMatchObject({ code: 'idempotency_conflict' })
  })

  test('whose answer was lost is found by the next press', async () => {
    const price = await makePrice(world)
    const key = newKey()
    world.sandbox.faults.next('stripe', 'paymentLinks.create', { connection: 'lost' }, 2)
    expect((await create({ price }, key)).json()).toMatchObject({ status: 504, code: 'outcome_unknown' })
    world.sandbox.faults.clear()
    const again = await create({ price }, key)
    expect(again.statusCode, again.body).toBe(200)
    expect(await madeBy(key)).toHaveLength(1)
    expect(await actionOf(world, key)).toMatchObject({ state: 'done', result_id: again.json().payment_link.id })
  })

  test('is not made of a price that is archived meanwhile, and that is said', async () => {
    const price = await makePrice(world)
    await atProvider(world, `/prices/${price}`, { active: 'false' })
    const key = newKey()
    const answer = await create({ price }, key)
    expect(answer.statusCode, answer.body).toBeGreaterThanOrEqual(400)
    expect(answer.json().detail).toContain('inactive')
    expect(await actionOf(world, key)).toMatchObject({ state: 'failed' })
    expect(await madeBy(key)).toEqual([])
  })

  test.each<[string, () => Promise<object>, object]>([
    ['no price', async () => ({ price: '' }), { status: 400, parameter: 'price' }],
    ['a price that is not there', async () => ({ price: 'price_none' }), { status: 404 }],
    [
      'an archived price',
      async () => ({ price: await makePrice(world, {}, 'archived') }),
      { status: 409, parameter: 'price', detail: 'Archived price: choose another one. No payment link was created.' },
    ],
    [
      'nothing of it',
      async () => ({ price: await makePrice(world), quantity: 0 }),
      { status: 400, parameter: 'quantity' },
    ],
    [
      'more than customers can choose',
      async () => ({ price: await makePrice(world), quantity: 100, adjustable_quantity: true }),
      { status: 400, parameter: 'quantity' },
    ],
    [
      'a trial of what is paid once',
      async () => ({ price: await oncePrice(), trial_days: 7 }),
      { status: 400, parameter: 'trial_days' },
    ],
    [
      'a trial of three years',
      async () => ({ price: await makePrice(world), trial_days: 1095 }),
      { status: 400, parameter: 'trial_days' },
    ],
    ['something unknown', async () => ({ price: await makePrice(world), colour: 'red' }), { status: 400 }],
  ])('is refused with %s before Stripe is asked, as is its preview', async (_name, body, refusal) => {
    const asked = await body()
    const from = logLength(world)
    expect((await create(asked)).json()).toMatchObject(refusal)
    expect((await preview(asked)).json()).toMatchObject(refusal)
    expect(sentSince(world, from)).toEqual([])
  })
})

test('prices that a link can sell are found by their plan', async () => {
  const offered = await makePrice(world)
  const archived = await makePrice(world, {}, 'archived')
  const { name } = await productOf(offered)
  const prices = async (search: string) =>
    (await root().get(`/stripe/payment-link-prices?search=${encodeURIComponent(search)}`)).json().prices
  expect(await prices(name)).toEqual([{ id: offered, plan_name: name, terms: '$19.00 per month', is_recurring: true }])
  expect(await prices((await productOf(archived)).name)).toEqual([])
  const once = await oncePrice()
  expect(await prices((await productOf(once)).name)).toMatchObject([{ id: once, is_recurring: false }])
})

describe('a payment link that is there', () => {
  test('is switched off and on again, told once each', async () => {
    const id = await makeLink(world)
    const off = await switchIt(id, false)
    expect(off.json()).toMatchObject({ success: true, changed: true, payment_link: { id, state: 'off' } })
    expect(await atStripe(id)).toMatchObject({ active: false })
    expect((await list(`search=${id}&state=off`)).payment_links).toMatchObject([{ id }])
    expect((await list(`search=${id}&state=active`)).payment_links).toEqual([])
    const from = logLength(world)
    expect((await switchIt(id, false)).json()).toMatchObject({ changed: false, payment_link: { state: 'off' } })
    expect(sentSince(world, from)).toEqual([])
    expect((await switchIt(id, true)).json()).toMatchObject({ changed: true, payment_link: { state: 'active' } })
    expect(await auditOf(world, id)).toEqual([
      'Test super_admin payment_link.switch requested done',
      'Test super_admin payment_link.switch done done',
      'Test super_admin payment_link.switch requested done',
      'Test super_admin payment_link.switch done done',
    ])
    const { name } = (await get(id)).payment_link
    const { entries } = (await root().get(`/admin/audit?resource=payment_link&resource_id=${id}`)).json()
    expect(entries.map(({ details }: { details: string }) => details)).toContain(
      `Switched off the payment link for ${name}`,
    )
  })

  test('is switched once for a double press', async () => {
    const id = await makeLink(world)
    const key = newKey()
    const from = logLength(world)
    await Promise.all([switchIt(id, false, key), switchIt(id, false, key)])
    expect((await switchIt(id, false, key)).json()).toMatchObject({ changed: true, payment_link: { state: 'off' } })
    expect(sentSince(world, from).map(({ path }) => path)).toEqual([`/v1/payment_links/${id}`])
  })

  test('whose switch was lost is settled by the next press', async () => {
    const id = await makeLink(world)
    const key = newKey()
    world.sandbox.faults.next('stripe', 'paymentLinks.update', { connection: 'lost' }, 2)
    expect((await switchIt(id, false, key)).json()).toMatchObject({ code: 'outcome_unknown' })
    world.sandbox.faults.clear()
    expect((await switchIt(id, true)).json()).toMatchObject({
      ...{ status: 409, detail: expect.stringMatching(/started a switch-off of the payment link .* outcome unknown/) },
    })
    expect((await switchIt(id, false, key)).json()).toMatchObject({ changed: true, payment_link: { state: 'off' } })
    expect(await actionOf(world, key)).toMatchObject({ state: 'done' })
  })

  test('that somebody switched at Stripe meanwhile is seen before anything is sent', async () => {
    const id = await makeLink(world)
    await atProvider(world, `/payment_links/${id}`, { active: 'false' })
    expect((await get(id)).payment_link.state).toBe('active')
    const from = logLength(world)
    expect((await switchIt(id, false)).json()).toMatchObject({ changed: false, payment_link: { state: 'off' } })
    expect(sentSince(world, from)).toEqual([])
    expect((await get(id)).payment_link.state).toBe('off')
    await atProvider(world, `/payment_links/${id}`, { active: 'true' })
    expect((await switchIt(id, false)).json()).toMatchObject({ changed: true, payment_link: { state: 'off' } })
  })

  test('with more than ten lines keeps them all when it is switched', async () => {
    const price = await makePrice(world)
    const lines = Object.fromEntries(
      Array.from({ length: 12 }, (_, at) => at).flatMap((at) => [
        [`line_items[${at}][price]`, price],
        [`line_items[${at}][quantity]`, '1'],
      ]),
    )
    const id = await makeLink(world, lines)
    const { name } = await productOf(price)
    const before = (await get(id)).payment_link
    expect(before).toMatchObject({ name: `${name} and 11 more`, terms: '$228.00 per month' })
    expect((await switchIt(id, false)).json().payment_link).toMatchObject({ items: before.items, terms: before.terms })
  })

  test('whose address is none of the web is shown without one, and its text as it came', async () => {
    const id = await makeLink(world)
    const price = (await get(id)).payment_link.items[0].price_id
    const { id: product } = await productOf(price)
    const hostile = '<img src=x onerror=alert(1)> \u202Eevil'
    await atProvider(world, `/products/${product}`, { name: hostile })
    await mirror(world, 'product', product)
    const { db } = world.console.ctx
    await db.updateTable('payment_links').set({ url: 'javascript:alert(1)' }).where('id', '=', id).execute()
    expect((await get(id)).payment_link).toMatchObject({ url: null, name: hostile })
    await db.updateTable('payment_links').set({ url: null }).where('id', '=', id).execute()
    expect((await get(id)).payment_link.url).toBeNull()
  })

  test('that was paid as often as it may be is used up, and not switched on', async () => {
    const id = await makeLink(world, {})
    await atProvider(world, `/payment_links/${id}`, { active: 'false' })
    await mirror(world, 'payment_link', id)
    await world.console.ctx.db
      .updateTable('payment_links')
      .set({ completed_sessions: 5, most_sessions: 5 })
      .where('id', '=', id)
      .execute()
    expect((await get(id)).payment_link).toMatchObject({ state: 'used_up', payments: { made: 5, most: 5 } })
    expect((await switchIt(id, true)).json()).toMatchObject({
      ...{ status: 409, detail: expect.stringContaining('paid 5 of 5 times: raise its limit at Stripe first') },
    })
  })

  test('whose payments Stripe did not count is not said to be unpaid', async () => {
    const id = await makeLink(world, {})
    const unknown = { completed_sessions: null, most_sessions: 5 }
    await world.console.ctx.db.updateTable('payment_links').set(unknown).where('id', '=', id).execute()
    expect((await get(id)).payment_link).toMatchObject({ state: 'active', payments: { made: null, most: 5 } })
  })

  test('that is not there is not found', async () => {
    expect((await switchIt('plink_none', false)).statusCode).toBe(404)
    expect((await root().get('/stripe/payment-links/plink_none')).statusCode).toBe(404)
    expect((await root().get('/stripe/payment-links?starting_after=plink_none')).statusCode).toBe(400)
  })
})

test('the newest come first, page by page', async () => {
  const price = await makePrice(world)
  const { name } = await productOf(price)
  const ids: string[] = []
  for (let made = 0; made < 3; made++) {
    ids.push(await makeLink(world, { 'line_items[0][price]': price }))
    await world.sandbox.advance(1000)
  }
  const search = `search=${encodeURIComponent(name)}&limit=2`
  const first = await list(search)
  expect(first).toMatchObject({ has_more: true, payment_links: [{ id: ids[2] }, { id: ids[1] }] })
  expect(await list(`${search}&starting_after=${ids[1]}`)).toMatchObject({
    ...{ has_more: false, payment_links: [{ id: ids[0] }] },
  })
})

describe('by who may not move money', () => {
  test.each(['/stripe/payment-links', '/stripe/payment-links/one/switch'])('%s is refused', async (path) => {
    const from = world.sandbox.requestLog().length
    const guest = request(world.console.ctx).as(['billing.read', 'customers.read'])
    expect((await guest.post(path, {})).statusCode).toBe(403)
    expect((await guest.get('/stripe/payment-links')).statusCode).toBe(200)
    for (const read of ['/stripe/payment-links', '/stripe/payment-links/one', '/stripe/payment-link-prices'])
      expect((await request(world.console.ctx).as('support').get(read)).statusCode).toBe(403)
    expect(sentSince(world, from)).toEqual([])
  })
})
