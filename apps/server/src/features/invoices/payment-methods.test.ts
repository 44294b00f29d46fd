import { afterAll, beforeAll, expect, test } from 'vitest'
import { atProvider, makeCustomer, saveCard } from '../../../test/provider-world.ts'
import { insertRows } from '../../../test/rows.ts'
import { person, startWorld, type World } from './test/world.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world?.close())

const get = async (path: string) => (await world.ada.get(path)).json()
const year = new Date().getUTCFullYear()

test('lists what a customer saved as Stripe shows it, the default first', async () => {
  const customer = await makeCustomer(world)
  expect(await get(`/customers/${customer}/payment-methods`)).toEqual({ methods: [] })
  const visa = await saveCard(world, customer)
  const { id: amex } = await atProvider(world, '/payment_methods/pm_card_amex/attach', { customer })
  const { methods } = await get(`/customers/${customer}/payment-methods`)
  expect(methods).toMatchObject([
    { id: visa, type: 'card', brand: 'visa', last4: '4242', exp_month: 12, is_default: true },
    { id: amex, brand: 'amex', last4: '8431', is_default: false },
  ])
  expect(methods[0].exp_year).toBeGreaterThan(year)
})

test('shows what a subscription is charged to: its own card, else the default of its customer', async () => {
  const customer = await makeCustomer(world)
  const visa = await saveCard(world, customer)
  const product = String((await atProvider(world, '/products', { name: 'Starter Care' }))['id'])
  const terms = { unit_amount: '1900', currency: 'usd', 'recurring[interval]': 'month' }
  const price = String((await atProvider(world, '/prices', { product, ...terms }))['id'])
  const made = await atProvider(world, '/subscriptions', { customer, 'items[0][price]': price })
  const id = String(made['id'])
  await insertRows(world.console.ctx.pool, 'subscriptions', [{ id, customer_id: customer }])
  expect(await get(`/subscriptions/${id}/payer`)).toMatchObject({ method: { id: visa, last4: '4242' } })
  const { id: own } = await atProvider(world, '/payment_methods/pm_card_mastercard/attach', { customer })
  await atProvider(world, `/subscriptions/${id}`, { default_payment_method: String(own) })
  expect(await get(`/subscriptions/${id}/payer`)).toMatchObject({ method: { id: own, brand: 'mastercard' } })
})

test('knows neither customers nor subscriptions that are not there, and asks nobody without the right', async () => {
  expect((await world.ada.get('/customers/cus_none/payment-methods')).statusCode).toBe(404)
  expect((await world.ada.get('/subscriptions/sub_none/payer')).statusCode).toBe(404)
  const guest = person(world.console, 'Guest', ['customers.read'])
  expect((await guest.get('/customers/cus_none/payment-methods')).statusCode).toBe(403)
  expect((await guest.get('/subscriptions/sub_none/payer')).statusCode).toBe(403)
})
