import type Stripe from 'stripe'
import { describe, expect, test } from 'vitest'
import { all, helpersOf, refusal, useSandbox } from '../test/sandbox.ts'

const world = useSandbox({ size: { customers: 2 } })
const { lastEvent, eventsSince } = helpersOf(world)

const priceOf = async (key: string) => (await world.stripe.prices.list({ lookup_keys: [key] })).data[0]!.id
const monthly = () => priceOf('professional_month_usd')
const once = () => priceOf('build_basic')

type Line = Stripe.PaymentLinkCreateParams.LineItem
const newLink = async (more: Partial<Stripe.PaymentLinkCreateParams> = {}) =>
  world.stripe.paymentLinks.create({ line_items: [{ price: await monthly(), quantity: 1 }], ...more })

const pageOf = async (url: string) => {
  const answer = await fetch(`${world.sandbox.stripe.baseUrl}${new URL(url).pathname}`)
  return { status: answer.status, text: await answer.text() }
}

describe('a payment link', () => {
  test('is made with all that it sells, read back, listed and told', async () => {
    const before = await lastEvent()
    const price = await monthly()
    const made = await newLink({
      line_items: [{ price, quantity: 2, adjustable_quantity: { enabled: true } }],
      allow_promotion_codes: true,
      subscription_data: { trial_period_days: 14 },
      metadata: { for: 'spring' },
    })
    expect(made).toMatchObject({
      ...{ object: 'payment_link', active: true, allow_promotion_codes: true, currency: 'usd' },
      ...{ metadata: { for: 'spring' }, subscription_data: { trial_period_days: 14 } },
      url: expect.stringMatching(/^https:\/\/buy\.stripe\.com\/test_\w+$/),
    })
    expect(made).not.toHaveProperty('line_items')
    expect(made).not.toHaveProperty('created')
    const whole = await world.stripe.paymentLinks.retrieve(made.id, { expand: ['line_items'] })
    expect(whole.line_items?.data).toMatchObject([
      {
        ...{ object: 'item', quantity: 2, amount_total: 15_800, description: 'Professional Care' },
        ...{ adjustable_quantity: { enabled: true, minimum: 0, maximum: 99 }, price: { id: price } },
      },
    ])
    const lines = await all(world.stripe.paymentLinks.listLineItems(made.id))
    expect(lines.map(({ id }) => id)).toEqual(whole.line_items?.data.map(({ id }) => id))
    const { data } = await world.stripe.paymentLinks.list({ limit: 1, expand: ['data.line_items'] })
    expect(data).toMatchObject([{ id: made.id, line_items: { data: [{ quantity: 2 }] } }])
    expect(await eventsSince(before)).toEqual(['payment_link.created'])
  })

  test('is switched off and on again, and cannot be deleted', async () => {
    const { id, url } = await newLink()
    expect((await pageOf(url)).text).toContain('Professional Care')
    const before = await lastEvent()
    expect(await world.stripe.paymentLinks.update(id, { active: false })).toMatchObject({ id, active: false })
    expect((await all(world.stripe.paymentLinks.list({ active: false }))).map((link) => link.id)).toContain(id)
    expect((await all(world.stripe.paymentLinks.list({ active: true }))).map((link) => link.id)).not.toContain(id)
    expect((await pageOf(url)).text).toContain('no longer active')
    await world.stripe.paymentLinks.update(id, { active: false })
    expect(await eventsSince(before)).toEqual(['payment_link.updated'])
    expect(await world.stripe.paymentLinks.update(id, { active: true })).toMatchObject({ active: true })
    expect(await refusal(world.stripe.rawRequest('DELETE', `/v1/payment_links/${id}`))).toMatchObject({
      statusCode: 404,
    })
  })

  test('embeds ten items, and lists all', async () => {
    const price = await monthly()
    const items = Array.from({ length: 12 }, (): Line => ({ price, quantity: 1 }))
    const { id } = await newLink({ line_items: items })
    const { line_items } = await world.stripe.paymentLinks.retrieve(id, { expand: ['line_items'] })
    expect(line_items).toMatchObject({ has_more: true })
    expect(line_items?.data).toHaveLength(10)
    expect(await all(world.stripe.paymentLinks.listLineItems(id))).toHaveLength(12)
  })

  test.each<[string, () => Promise<Partial<Stripe.PaymentLinkCreateParams>>, string]>([
    ['nothing to sell', async () => ({ line_items: [] }), 'line_items'],
    [
      'a price that is not there',
      async () => ({ line_items: [{ price: 'price_none', quantity: 1 }] }),
      'line_items[0][price]',
    ],
    [
      'an archived price',
      async () => ({ line_items: [{ price: await priceOf('classic_month_usd'), quantity: 1 }] }),
      'line_items[0][price]',
    ],
    ['no quantity', async () => ({ line_items: [{ price: await monthly(), quantity: 0 }] }), 'line_items[0][quantity]'],
    [
      'more than can be adjusted to',
      async () => ({
        line_items: [{ price: await monthly(), quantity: 100, adjustable_quantity: { enabled: true } }],
      }),
      'line_items[0][quantity]',
    ],
    [
      'two intervals',
      async () => ({
        line_items: [
          { price: await monthly(), quantity: 1 },
          { price: await priceOf('professional_year_usd'), quantity: 1 },
        ],
      }),
      'line_items',
    ],
    [
      'a trial of what is paid once',
      async () => ({
        line_items: [{ price: await once(), quantity: 1 }],
        subscription_data: { trial_period_days: 7 },
      }),
      'subscription_data',
    ],
    [
      'a trial of no days',
      async () => ({ subscription_data: { trial_period_days: 0 } }),
      'subscription_data[trial_period_days]',
    ],
    ['what it does not imitate', async () => ({ submit_type: 'donate' }), 'submit_type'],
  ])('is refused with %s', async (_name, more, param) => {
    expect(await refusal(newLink(await more()))).toMatchObject({ statusCode: 400, param })
  })

  test('is refused with what Stripe does not know', async () => {
    const unknown = { colour: 'red' } as unknown as Partial<Stripe.PaymentLinkCreateParams>
    expect(await refusal(newLink(unknown))).toMatchObject({ code: 'parameter_unknown', param: 'colour' })
    expect(await refusal(world.stripe.paymentLinks.retrieve('plink_none'))).toMatchObject({ statusCode: 404 })
  })
})

test('the agency has made some', async () => {
  const links = await all(world.stripe.paymentLinks.list({ expand: ['data.line_items'] }))
  const seeded = links.slice(-3).map(({ active, line_items }) => [line_items?.data[0]?.description, active])
  expect(seeded).toEqual([
    ['Starter Care', true],
    ['Website build, one page', true],
    ['Mailboxes', false],
  ])
})
