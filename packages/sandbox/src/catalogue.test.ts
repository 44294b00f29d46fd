import Stripe from 'stripe'
import { describe, expect, test } from 'vitest'
import { helpersOf, refusal, useSandbox } from '../test/sandbox.ts'

const world = useSandbox({ size: { customers: 1 } })
const { lastEvent, eventsSince, newCustomer } = helpersOf(world)

const newPrice = async (more: Partial<Stripe.PriceCreateParams> = {}) => {
  const { id: product } = await world.stripe.products.create({ name: 'Care' })
  const recurring = { interval: 'month' } as const
  return await world.stripe.prices.create({ product, currency: 'usd', unit_amount: 1500, recurring, ...more })
}

describe('a lookup key', () => {
  test('names one price, also one that is archived', async () => {
    const first = await newPrice({ lookup_key: 'care' })
    await world.stripe.prices.update(first.id, { active: false })
    const taken = {
      ...{ statusCode: 400, type: 'StripeInvalidRequestError', param: 'lookup_key' },
      message: `A price (\`${first.id}\`) already uses that lookup key.`,
    }
    expect(await refusal(newPrice({ lookup_key: 'care' }))).toMatchObject(taken)
    const other = await newPrice()
    expect(await refusal(world.stripe.prices.update(other.id, { lookup_key: 'care' }))).toMatchObject(taken)
    expect((await world.stripe.prices.list({ lookup_keys: ['care'] })).data.map(({ id }) => id)).toEqual([first.id])
    expect(await world.stripe.prices.update(first.id, { lookup_key: 'care' })).toMatchObject({ lookup_key: 'care' })
  })

  test('goes over to another price where that is said, also within subscriptions', async () => {
    const first = await newPrice({ lookup_key: 'moving' })
    const customer = await newCustomer()
    const { id } = await world.stripe.subscriptions.create({ customer, items: [{ price: first.id }] })
    const second = await newPrice({ lookup_key: 'moving', transfer_lookup_key: true })
    expect([second.lookup_key, (await world.stripe.prices.retrieve(first.id)).lookup_key]).toEqual(['moving', null])
    expect((await world.stripe.subscriptions.retrieve(id)).items.data[0]?.price.lookup_key).toBeNull()
    await world.stripe.prices.update(first.id, { lookup_key: 'moving', transfer_lookup_key: true })
    expect((await world.stripe.prices.list({ lookup_keys: ['moving'] })).data.map((price) => price.id)).toEqual([
      first.id,
    ])
  })
})

describe('a product', () => {
  test('is made with the price that it usually has', async () => {
    const before = await lastEvent()
    const made = await world.stripe.products.create({
      name: 'Care',
      default_price_data: {
        ...{ currency: 'USD', unit_amount_decimal: Stripe.Decimal.from('1050.5'), tax_behavior: 'exclusive' },
        ...{ recurring: { interval: 'month', interval_count: 3 }, metadata: { for: 'spring' } },
      },
      expand: ['default_price'],
    })
    expect(made.default_price).toMatchObject({
      ...{ object: 'price', product: made.id, currency: 'usd', unit_amount: null, tax_behavior: 'exclusive' },
      ...{ recurring: { interval: 'month', interval_count: 3 }, metadata: { for: 'spring' }, active: true },
    })
    expect((await world.stripe.prices.list({ product: made.id })).data).toHaveLength(1)
    expect(await eventsSince(before)).toEqual(['product.updated', 'price.created', 'product.created'].reverse())
  })

  test.each<[string, Stripe.ProductCreateParams['default_price_data'], string, string]>([
    ['no amount', { currency: 'usd' }, 'parameter_missing', 'unit_amount'],
    [
      'what is not imitated',
      { currency: 'usd', unit_amount: 1, custom_unit_amount: { enabled: true } },
      'sandbox_unsupported',
      'default_price_data[custom_unit_amount]',
    ],
  ])('is not made of a price with %s', async (_name, price, code, param) => {
    const before = (await world.stripe.products.list()).data[0]?.id
    const refused = await refusal(world.stripe.products.create({ name: 'Care', default_price_data: price }))
    expect(refused).toMatchObject({ statusCode: 400, code, param })
    expect((await world.stripe.products.list()).data[0]?.id).toBe(before)
  })

  test('usually has a price of its own, and keeps all that it is made with', async () => {
    const other = await newPrice()
    const words = {
      ...{
        name: 'Care',
        description: 'All of it',
        url: 'https://care.example',
        images: ['https://care.example/a.png'],
      },
      ...{
        shippable: false,
        statement_descriptor: 'CARE',
        unit_label: 'site',
        marketing_features: [{ name: 'Calls' }],
      },
    }
    const made = await world.stripe.products.create(words)
    expect(made).toMatchObject(words)
    expect(await refusal(world.stripe.products.update(made.id, { default_price: other.id }))).toMatchObject({
      ...{ statusCode: 400, param: 'default_price' },
    })
  })
})
