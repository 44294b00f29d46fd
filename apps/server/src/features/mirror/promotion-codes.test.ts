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

async function newCode(more: Partial<Stripe.PromotionCodeCreateParams> = {}) {
  const { id: coupon } = await client.coupons.create({ percent_off: 10, duration: 'once' })
  return client.promotionCodes.create({ promotion: { type: 'coupon', coupon }, ...more })
}

const kept = (id: string) =>
  console_.ctx.db.selectFrom('promotion_codes').selectAll().where('id', '=', id).executeTakeFirst()

test('are imported, and follow their events', async () => {
  const before = await newCode({ code: 'BEFORE' })
  console_ = await openConsole(sandbox)
  await importAll(console_.system)
  expect(await kept(before.id)).toMatchObject({ code: 'BEFORE', active: true })
  await client.promotionCodes.update(before.id, { active: false })
  await applyObject(console_.system, { kind: 'promotion_code', id: before.id }, 'webhook')
  expect(await kept(before.id)).toMatchObject({ active: false })
})

test('that reached their limit are put right by a walk without being told; one that was switched off is told', async () => {
  console_ = await openConsole(sandbox)
  const [limited, plain] = [await newCode({ max_redemptions: 1 }), await newCode()]
  await importAll(console_.system)
  await client.promotionCodes.update(limited.id, { active: false })
  await walk(console_.system, live())
  expect(await kept(limited.id)).toMatchObject({ active: false })
  expect((await findReports(console_.ctx.db, 1))[0]).toMatchObject({ state: 'done', differed: 0 })
  await client.promotionCodes.update(plain.id, { active: false })
  await walk(console_.system, live())
  expect((await findReports(console_.ctx.db, 1))[0]).toMatchObject({ state: 'done', differed: 1 })
})

test('need a right that old keys lack: without it everything else works', async () => {
  const code = await newCode()
  console_ = await openConsole(sandbox)
  sandbox.faults.next('stripe', { path: '/v1/promotion_codes*' }, { status: 403 }, null)
  await importAll(console_.system)
  expect(await findNewestImport(console_.ctx.db)).toMatchObject({ state: 'done' })
  await applyObject(console_.system, { kind: 'promotion_code', id: code.id }, 'webhook')
  await walk(console_.system, live())
  expect(await kept(code.id)).toBeUndefined()
})
