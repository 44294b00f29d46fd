import type { Sandbox } from '@agency/sandbox'
import { sql } from 'kysely'
import type Stripe from 'stripe'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type Console, importAll, live, openConsole, startTestSandbox } from '../../../test/fixtures/mirror.ts'
import { startWorld } from '../../../test/fixtures/world.ts'
import { applyObject } from './apply.ts'
import { findReports } from './queries/drift.ts'
import { findNewestImport, findSteps } from './queries/imports.ts'
import { verifyTotals } from './queries/totals.ts'
import { walk } from './walk.ts'

let sandbox: Sandbox
let stop: () => Promise<void>
let client: Stripe
let console_: Console

beforeAll(async () => {
  ;({ sandbox, stop } = await startTestSandbox({ size: { customers: 8 } }))
  client = (await startWorld(sandbox)).client
})
afterAll(() => stop())
afterEach(async () => {
  sandbox.faults.clear()
  await console_.close()
})

async function kept(): Promise<{ id: string; fee: number; net: number }[]> {
  const { rows } = await sql<{ id: string; fee: number; net: number }>`
    select id, fee, net from balance_transactions where deleted_at is null order by id`.execute(console_.ctx.db)
  return rows
}

async function atStripe(): Promise<{ id: string; fee: number; net: number }[]> {
  const all = await client.balanceTransactions.list({ limit: 100 }).autoPagingToArray({ limit: 10_000 })
  return all.map(({ id, fee, net }) => ({ id, fee, net })).sort((a, b) => (a.id < b.id ? -1 : 1))
}

const forbid = () => sandbox.faults.next('stripe', { path: '/v1/balance_transactions*' }, { status: 403 }, null)

test('are imported whole, and come with the charge or refund that an event is about', async () => {
  console_ = await openConsole(sandbox)
  await importAll(console_.system)
  expect(await kept()).toEqual(await atStripe())
  const [charge] = (await client.charges.list({ limit: 100 })).data.filter(
    (one) => one.status === 'succeeded' && one.amount_refunded === 0,
  )
  const refund = await client.refunds.create({ charge: charge!.id, amount: 1 })
  expect(await kept()).not.toEqual(await atStripe())
  await applyObject(console_.system, { kind: 'refund', id: refund.id }, 'webhook')
  expect(await kept()).toEqual(await atStripe())
  expect(await verifyTotals(console_.ctx.db)).toEqual([])
})

test('that are missing or changed are brought by a walk, which is not told as a difference', async () => {
  console_ = await openConsole(sandbox)
  await importAll(console_.system)
  const before = await kept()
  await sql`delete from balance_transactions where id in (select id from balance_transactions order by created_at desc limit 1)`.execute(
    console_.ctx.db,
  )
  await sql`update balance_transactions set status = 'pending' where created_at > now() - interval '30 days'`.execute(
    console_.ctx.db,
  )
  await walk(console_.system, live())
  expect(await kept()).toEqual(before)
  expect((await findReports(console_.ctx.db, 1))[0]).toMatchObject({ state: 'done', differed: 0 })
})

test('need a right that old keys lack: without it everything else works, and fees stay unknown', async () => {
  console_ = await openConsole(sandbox)
  forbid()
  await importAll(console_.system)
  const newest = await findNewestImport(console_.ctx.db)
  expect(newest).toMatchObject({ state: 'done' })
  const steps = await findSteps(console_.ctx.db, newest!.id)
  expect(steps.find(({ object }) => object === 'balance_transaction')).toMatchObject({ state: 'done', objects: 0 })
  const [charge] = (await client.charges.list({ limit: 1 })).data
  await applyObject(console_.system, { kind: 'charge', id: charge!.id }, 'webhook')
  await walk(console_.system, live())
  expect(await kept()).toEqual([])
})
