import type { CustomerDetails } from '@agency/contract/types'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/context.ts'
import { request } from '../../../test/request.ts'
import { insertRows } from '../../../test/rows.ts'

let t: TestContext
beforeAll(async () => {
  t = await createTestContext({ now: '2026-11-21T12:00:00Z' })
  const { pool } = t.ctx
  await insertRows(pool, 'products', [{ id: 'prod_a', name: 'Business' }])
  await insertRows(pool, 'customers', [
    { id: 'cus_1', name: '<b>Ada</b>', metadata: { company: 'Acme', note: '<script>1</script>' }, company: 'Acme' },
    { id: 'cus_2', name: 'Empty' },
  ])
  await insertRows(pool, 'subscriptions', [
    {
      ...{ id: 'sub_1', customer_id: 'cus_1', product_id: 'prod_a', amount: 2500, created_at: '2026-02-01T00:00:00Z' },
      ...{ status: 'cancelled', cancelled_at: '2026-05-01T00:00:00Z', ended_at: '2026-06-01T00:00:00Z' },
    },
    {
      ...{ id: 'sub_2', customer_id: 'cus_1', product_id: 'prod_a', amount: 900, created_at: '2026-07-01T00:00:00Z' },
      ...{ status: 'cancelled', cancelled_at: '2026-08-01T00:00:00Z', ended_at: '2026-08-01T00:00:00Z' },
    },
  ])
  await insertRows(
    pool,
    'payments',
    Array.from({ length: 30 }, (_, index) => ({
      ...{ id: `pi_${index}`, customer_id: 'cus_1', amount_captured: 1000, description: `Order ${index}` },
      // Three of the same instant each.
      created_at: new Date(Date.parse('2026-03-01T00:00:00Z') + Math.floor(index / 3) * 3_600_000),
    })),
  )
  await insertRows(pool, 'invoices', [
    {
      id: 'in_1',
      customer_id: 'cus_1',
      number: 'A-1',
      created_at: '2026-02-01T00:00:00Z',
      hosted_invoice_url: 'javascript:alert(1)',
    },
    {
      id: 'in_2',
      customer_id: 'cus_1',
      number: 'A-2',
      created_at: '2026-03-01T00:00:00Z',
      hosted_invoice_url: 'https://pay/2',
    },
  ])
})
afterAll(() => t.close())

const caller = () => request(t.ctx).as(['customers.read'])

test('shows all metadata, subscriptions, the newest payments and invoices', async () => {
  const customer = (await caller().get('/stripe/customers/cus_1')).json().customer as CustomerDetails
  expect(customer).toMatchObject({ name: '<b>Ada</b>', metadata: { company: 'Acme', note: '<script>1</script>' } })
  expect(customer.subscriptions.map(({ id, plan_name }) => [id, plan_name])).toEqual([
    ['sub_2', 'Business'],
    ['sub_1', 'Business'],
  ])
  expect(customer.payments).toHaveLength(25)
  expect(customer.payments[0]?.id).toBe('pi_29')
  expect(customer.invoices.map(({ id, hosted_invoice_url }) => [id, hosted_invoice_url])).toEqual([
    ['in_2', 'https://pay/2'],
    ['in_1', null],
  ])
})

test('answers 404 for a customer that is not there', async () => {
  expect((await caller().get('/stripe/customers/cus_none')).json()).toMatchObject({ status: 404, code: 'not_found' })
})
