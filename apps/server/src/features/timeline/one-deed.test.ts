import type { TimelineEntry } from '@agency/contract/types'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/context.ts'
import { type Caller, request } from '../../../test/request.ts'
import { insertRows } from '../../../test/rows.ts'

let t: TestContext
const day = (date: string) => `2026-${date}T00:00:00Z`

beforeAll(async () => {
  t = await createTestContext({ now: '2026-11-21T12:00:00Z' })
})
afterAll(() => t.close())

test('one deed is one entry, which stands where it began and says how far it is', async () => {
  const { pool } = t.ctx
  await insertRows(pool, 'customers', [{ id: 'cus_deeds', name: 'Linus', email: 'linus@example.com' }])
  await insertRows(pool, 'payments', [{ id: 'pi_deeds', customer_id: 'cus_deeds', created_at: day('01-01') }])
  const refund = { resource_type: 'payment', resource_id: 'pi_deeds', action: 'payment.refund' }
  const after = (state: string, action_id: string, amount: number) => ({ state, action_id, amount, currency: 'usd' })
  const grace = { actor_id: 'grace', actor_name: 'Grace' }
  await insertRows(pool, 'audit_entries', [
    { ...refund, ...grace, at: day('02-01'), after: after('requested', 'a_1', 100) },
    { ...refund, ...grace, at: day('02-02'), after: after('done', 'a_1', 100) },
    { ...refund, ...grace, at: day('02-03'), after: after('requested', 'a_2', 200) },
    { ...refund, ...grace, at: day('02-04'), after: after('failed', 'a_2', 200) },
    { ...refund, ...grace, at: day('02-05'), after: after('requested', 'a_3', 300) },
    // Found out later by the console itself.
    { ...refund, ...grace, at: day('02-06'), after: after('requested', 'a_4', 400) },
    {
      ...refund,
      actor_type: 'job',
      actor_id: 'j',
      actor_name: 'j',
      at: day('02-07'),
      after: after('done', 'a_4', 400),
    },
  ])
  const path = '/stripe/customers/cus_deeds/activity?kinds=action'
  const { entries } = (await request(t.ctx).as('super_admin').get(path)).json() as { entries: TimelineEntry[] }
  expect(entries.map(({ title, at, actor }) => [title, at.slice(5, 10), actor])).toEqual([
    ['Refunded $4.00 to Linus', '02-06', 'Grace'],
    ['Started to refund $3.00 to Linus', '02-05', 'Grace'],
    ['Could not refund $2.00 to Linus', '02-03', 'Grace'],
    ['Refunded $1.00 to Linus', '02-01', 'Grace'],
  ])
  expect(entries[0]?.steps.map(({ details, actor_type }) => [details, actor_type])).toEqual([
    ['Started to refund $4.00 to Linus', 'user'],
    ['Refunded $4.00 to Linus', 'job'],
  ])
  expect(entries[1]?.steps).toEqual([])
})

test('a run is one line with its steps, of which everybody sees those that they may read elsewhere', async () => {
  const { pool } = t.ctx
  await insertRows(pool, 'customers', [{ id: 'cus_run', name: 'Ada', email: 'ada@example.com' }])
  await insertRows(pool, 'subscriptions', [{ id: 'sub_run', customer_id: 'cus_run' }])
  const of = (resource_type: string, resource_id: string | null, action: string, state: string, key: object) => ({
    ...{ resource_type, resource_id, action, after: { state, customer_id: 'cus_run', ...key } },
  })
  const run = { run_id: 'run_9' }
  await insertRows(pool, 'audit_entries', [
    { at: day('03-01'), ...of('customer', 'cus_run', 'customer.suspend', 'requested', run) },
    { at: day('03-02'), ...of('subscription', 'sub_run', 'subscription.pause', 'done', run) },
    { at: day('03-03'), ...of('customer', 'cus_run', 'customer.suspend', 'done', run) },
  ])
  // Before it was there, its making was about nobody.
  const making = { action_id: 'a_made', customer_id: undefined, name: 'Ada' }
  await insertRows(pool, 'audit_entries', [
    { at: day('02-01'), ...of('customer', null, 'customer.create', 'requested', making) },
    { at: day('02-02'), ...of('customer', 'cus_run', 'customer.create', 'done', making) },
  ])
  const path = '/stripe/customers/cus_run/activity?kinds=action'
  const read = async (caller: Caller) => {
    const { entries } = (await caller.get(path)).json() as { entries: TimelineEntry[] }
    return entries.map(({ title, at, steps }) => [title, at.slice(5, 10), steps.length])
  }
  expect(await read(request(t.ctx).as('super_admin'))).toEqual([
    ['Suspended Ada', '03-01', 3],
    ['Created the customer Ada', '02-02', 2],
  ])
  expect((await read(request(t.ctx).as(['customers.read'])))[0]).toEqual(['Suspended Ada', '03-01', 2])
})

test('a refund that Stripe shows is one line, with who did it and its states', async () => {
  const { pool } = t.ctx
  await insertRows(pool, 'customers', [{ id: 'cus_shown', name: 'Grace', email: 'grace@example.com' }])
  await insertRows(pool, 'payments', [{ id: 'pi_shown', customer_id: 'cus_shown', created_at: day('01-01') }])
  const refund = { resource_type: 'payment', resource_id: 'pi_shown', action: 'payment.refund', actor_name: 'Lin' }
  const after = (state: string) => ({ state, action_id: 'a_shown', amount: 700, currency: 'usd' })
  await insertRows(pool, 'audit_entries', [
    { ...refund, at: day('02-01'), after: after('requested') },
    { ...refund, at: day('02-02'), after: after('done') },
  ])
  await insertRows(pool, 'refunds', [
    { id: 're_shown', payment_id: 'pi_shown', action_id: 'a_shown', amount: 700, created_at: day('02-01') },
  ])
  const path = '/stripe/customers/cus_shown/activity?kinds=action,refund'
  const { entries } = (await request(t.ctx).as('super_admin').get(path)).json() as { entries: TimelineEntry[] }
  expect(entries).toMatchObject([{ kind: 'refund', title: 'Refund', amount: 700, actor: 'Lin', steps: [{}, {}] }])
})
