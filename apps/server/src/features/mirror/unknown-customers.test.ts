import type { Sandbox } from '@agency/sandbox'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Console, importAll, openConsole, startTestSandbox } from '../../../test/fixtures/mirror.ts'
import { startWorld } from '../../../test/fixtures/world.ts'
import { request } from '../../../test/request.ts'
import { verifyTotals } from './queries/totals.ts'

let sandbox: Sandbox
let stop: () => Promise<void>
let console_: Console

beforeAll(async () => {
  ;({ sandbox, stop } = await startTestSandbox({ size: { customers: 2 } }))
  console_ = await openConsole(sandbox)
})
afterAll(async () => {
  await console_.close()
  await stop()
})

const customerOf = async (id: string) =>
  (await request(console_.ctx).as('super_admin').get(`/stripe/customers/${id}`)).json()

test('a customer who was deleted before the import is listed as deleted, with what the invoices say', async () => {
  const { client } = await startWorld(sandbox)
  const { customer } = await sandbox.control.scenario('customer_created', {
    name: 'Gone Before',
    email: 'gone@example.com',
  })
  await sandbox.control.scenario('subscription_started', { customer })
  await client.customers.del(customer as string)
  await importAll(console_.system)
  const found = await customerOf(customer as string)
  expect(found).toMatchObject({
    customer: { id: customer, name: 'Gone Before', email: 'gone@example.com', status: 'cancelled', deleted: true },
  })
  expect(found.customer.total_revenue).toBeGreaterThan(0)
  const { customers } = (
    await request(console_.ctx).as('super_admin').get('/stripe/customers?search=gone+before')
  ).json()
  expect(customers).toMatchObject([{ id: customer, deleted: true }])
  expect(await verifyTotals(console_.ctx.db)).toEqual([])
})

test('the next import leaves the row as it is', async () => {
  const before = await console_.ctx.pool.query(
    'select id, fetch_seq, deleted_at from customers where deleted_at is not null',
  )
  expect(before.rows).toHaveLength(1)
  await importAll(console_.system)
  const after = await console_.ctx.pool.query(
    'select id, fetch_seq, deleted_at from customers where deleted_at is not null',
  )
  expect(after.rows).toEqual(before.rows)
})
