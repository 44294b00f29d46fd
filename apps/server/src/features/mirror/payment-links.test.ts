import type { Sandbox } from '@agency/sandbox'
import type Stripe from 'stripe'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type Console, importAll, live, openConsole, startTestSandbox } from '../../../test/fixtures/mirror.ts'
import { startWorld } from '../../../test/fixtures/world.ts'
import { applyObject } from './apply.ts'
import { findReports } from './queries/drift.ts'
import { findNewestImport } from './queries/imports.ts'
import { walk } from './walk.ts'

let sandbox: Sandbox
let stop: () => Promise<void>
let client: Stripe
let console_: Console

beforeAll(async () => {
  ;({ sandbox, stop } = await startTestSandbox({ size: { customers: 2 } }))
  client = (await startWorld(sandbox)).client
})
afterAll(() => stop())
afterEach(async () => {
  sandbox.faults.clear()
  await console_.close()
})

async function newLink(lines = 1) {
  const product = await client.products.create({ name: 'Care' })
  const price = await client.prices.create({
    ...{ product: product.id, unit_amount: 1900, currency: 'usd', recurring: { interval: 'month' } },
  })
  const link = await client.paymentLinks.create({
    line_items: Array.from({ length: lines }, () => ({ price: price.id, quantity: 2 })),
  })
  return { id: link.id, price: price.id, product: product.id }
}

const kept = (id: string) =>
  console_.ctx.db.selectFrom('payment_links').selectAll().where('id', '=', id).executeTakeFirst()

test('are imported with all that they sell, and follow their events', async () => {
  const { id, price, product } = await newLink(12)
  console_ = await openConsole(sandbox)
  await importAll(console_.system)
  const item = {
    ...{ price, product, quantity: 2, unit: 1900, amount: 3800, interval: 'month', interval_count: 1 },
    ...{ is_metered: false, adjustable: null },
  }
  expect(await kept(id)).toMatchObject({ active: true, items: Array.from({ length: 12 }, () => item) })
  await client.paymentLinks.update(id, { active: false })
  await applyObject(console_.system, { kind: 'payment_link', id }, 'webhook')
  expect(await kept(id)).toMatchObject({ active: false, items: expect.objectContaining({ length: 12 }) })
})

test('that were switched without being told are put right and told by a walk; what a price becomes is none of theirs', async () => {
  const { id, price, product } = await newLink()
  console_ = await openConsole(sandbox)
  await importAll(console_.system)
  await client.products.update(product, { name: 'Renamed' })
  await client.prices.update(price, { nickname: 'Renamed' })
  for (const [kind, changed] of [['product', product] as const, ['price', price] as const])
    await applyObject(console_.system, { kind, id: changed }, 'webhook')
  await walk(console_.system, live())
  expect((await findReports(console_.ctx.db, 1))[0]).toMatchObject({ state: 'done', differed: 0 })
  await client.paymentLinks.update(id, { active: false })
  await walk(console_.system, live())
  expect(await kept(id)).toMatchObject({ active: false })
  expect((await findReports(console_.ctx.db, 1))[0]).toMatchObject({ state: 'done', differed: 1 })
})

test('need a right that old keys lack: without it everything else works', async () => {
  const { id } = await newLink()
  console_ = await openConsole(sandbox)
  sandbox.faults.next('stripe', { path: '/v1/payment_links*' }, { status: 403 }, null)
  await importAll(console_.system)
  expect(await findNewestImport(console_.ctx.db)).toMatchObject({ state: 'done' })
  await applyObject(console_.system, { kind: 'payment_link', id }, 'webhook')
  await walk(console_.system, live())
  expect(await kept(id)).toBeUndefined()
})
