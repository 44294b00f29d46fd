import { randomUUID } from 'node:crypto'
import { atProvider, makeCustomer, mirror, type ProviderWorld, saveCard } from './provider-world.ts'

type Places = Pick<ProviderWorld, 'sandbox' | 'console'>

/** A plan with a price, at the provider and in the mirror. An empty term leaves out what is usual. */
export async function makePrice(
  world: Places,
  terms: Record<string, string> = {},
  state: 'offered' | 'archived' = 'offered',
): Promise<string> {
  const product = String((await atProvider(world, '/products', { name: `Care ${randomUUID().slice(0, 8)}` }))['id'])
  const usual = { product, unit_amount: '1900', currency: 'usd', 'recurring[interval]': 'month' }
  const wanted = Object.entries({ ...usual, ...terms }).filter(([, value]) => value !== '')
  const made = await atProvider(world, '/prices', Object.fromEntries(wanted))
  if (state === 'archived') await atProvider(world, `/prices/${made['id']}`, { active: 'false' })
  await mirror(world, 'product', product)
  await mirror(world, 'price', String(made['id']))
  return String(made['id'])
}

export async function makeCoupon(world: Places, terms: Record<string, string>): Promise<string> {
  const id = String((await atProvider(world, '/coupons', { duration: 'once', ...terms }))['id'])
  await mirror(world, 'coupon', id)
  return id
}

/** A promotion code of a coupon. */
export async function makeCode(world: Places, coupon: string, terms: Record<string, string> = {}): Promise<string> {
  const of = { 'promotion[type]': 'coupon', 'promotion[coupon]': coupon }
  const id = String((await atProvider(world, '/promotion_codes', { ...of, ...terms }))['id'])
  await mirror(world, 'promotion_code', id)
  return id
}

/** A payment link that sells a price, for $19.00 a month unless another one is given. */
export async function makeLink(world: Places, terms: Record<string, string> = {}): Promise<string> {
  const price = terms['line_items[0][price]'] ?? (await makePrice(world))
  const of = { 'line_items[0][price]': price, 'line_items[0][quantity]': '1' }
  const id = String((await atProvider(world, '/payment_links', { ...of, ...terms }))['id'])
  await mirror(world, 'payment_link', id)
  return id
}

type Order = {
  customer: string
  price: string
  collection: 'card'
  payment_method: string
  expected_amount_due: number
}

/** What a customer with a saved card is to get: $19.00 a month. */
export async function newOrder(world: Places, token = 'pm_card_visa'): Promise<Order> {
  const customer = await makeCustomer(world)
  const payment_method = await saveCard(world, customer, token)
  return { customer, price: await makePrice(world), collection: 'card', payment_method, expected_amount_due: 1900 }
}
