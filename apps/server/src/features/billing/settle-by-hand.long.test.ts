import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { execute } from '../../../test/database.ts'
import { whileIdle } from '../../platform/runs/advance.ts'
import { resolveName } from './money-actions/begin-resolving.ts'
import {
  actionOf,
  auditOf,
  makePayment,
  makeSubscription,
  person,
  refundsOf,
  resolve,
  resolveInTime,
  startWorld,
  type World,
} from './money-actions/test/world.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterEach(() => world.sandbox.faults.clear())
afterAll(() => world?.close())

/** A refund whose outcome nobody knows; `isMade`: Stripe has made it all the same. */
async function unknownRefund(key: string, isMade: boolean): Promise<string> {
  const { payment } = await makePayment(world)
  world.sandbox.faults.next('stripe', 'refunds.create', { connection: isMade ? 'lost' : 'destroy' }, 2)
  expect((await world.ada.refund(payment, {}, key)).json()).toMatchObject({ code: 'outcome_unknown' })
  world.sandbox.faults.clear()
  return payment
}

test('what Stripe shows settles a refund that did not happen, once it can be told', async () => {
  const payment = await unknownRefund('hand-1', false)
  const early = (await world.bob.evidence('hand-1')).json()
  expect(early).toMatchObject({ happened: false, facts: ['Stripe lists no refund of this payment.'] })
  expect(early.settle_from).not.toBeNull()
  expect((await world.bob.settle('hand-1', 'not_happened')).statusCode).toBe(409)
  world.console.clock.advance(61_000)
  expect((await world.bob.evidence('hand-1')).json()).toMatchObject({ settle_from: null })
  // The other way is not what Stripe shows.
  const wrong = await world.bob.settle('hand-1', 'happened')
  expect(wrong.json().detail).toBe(
    'Stripe shows something else now. Stripe lists no refund of this payment. Nothing was settled.',
  )
  expect(await actionOf(world, 'hand-1')).toMatchObject({ state: 'unknown' })
  const settled = await world.bob.settle('hand-1', 'not_happened')
  const words = 'Bob settled by hand: nothing happened at Stripe. Can be started again.'
  expect(settled.json()).toMatchObject({ action: { id: 'hand-1', state: 'failed', error: words } })
  expect(await auditOf(world, payment)).toEqual([
    'Ada payment.refund requested done',
    'Bob payment.refund failed failed',
  ])
  const [entry] = await world.console.ctx.db
    .selectFrom('audit_entries')
    .select('after')
    .where('resource_id', '=', payment)
    .orderBy('id', 'desc')
    .limit(1)
    .execute()
  expect(entry?.after).toMatchObject({ settled: 'by hand', evidence: ['Stripe lists no refund of this payment.'] })
  await resolveInTime(world)
  expect(await refundsOf(world, payment)).toEqual([])
  expect((await world.ada.refund(payment, {}, 'hand-2')).statusCode).toBe(200)
})

test('a call that was sent again has its minute again, since it may still run there', async () => {
  const payment = await unknownRefund('hand-5', false)
  world.console.clock.advance(61_000)
  world.sandbox.faults.next('stripe', 'refunds.create', { connection: 'destroy' }, 2)
  await resolve(world.console)
  world.sandbox.faults.clear()
  expect(await actionOf(world, 'hand-5')).toMatchObject({ state: 'unknown' })
  const early = (await world.bob.evidence('hand-5')).json()
  expect(Date.parse(early.settle_from)).toBeGreaterThan(world.console.clock.now() + 50_000)
  expect((await world.bob.settle('hand-5', 'not_happened')).json()).toMatchObject({ status: 409, retryAfter: 60 })
  expect(await actionOf(world, 'hand-5')).toMatchObject({ state: 'unknown' })
  world.console.clock.advance(60_000)
  expect((await world.bob.settle('hand-5', 'not_happened')).json()).toMatchObject({ action: { state: 'failed' } })
  expect(await refundsOf(world, payment)).toEqual([])
})

test('a call of a subscription that was sent again has its minute again, too', async () => {
  const subscription = await makeSubscription(world)
  world.sandbox.faults.next('stripe', 'subscriptions.*', { connection: 'destroy' }, 2)
  expect((await world.ada.cancel(subscription, { at: 'now' }, 'hand-6')).json()).toMatchObject({
    code: 'outcome_unknown',
  })
  world.sandbox.faults.clear()
  world.console.clock.advance(61_000)
  world.sandbox.faults.next('stripe', { method: 'DELETE' }, { connection: 'destroy' }, 2)
  await resolve(world.console)
  world.sandbox.faults.clear()
  expect(await actionOf(world, 'hand-6')).toMatchObject({ state: 'unknown' })
  expect((await world.bob.settle('hand-6', 'not_happened')).json()).toMatchObject({ status: 409, retryAfter: 60 })
  world.console.clock.advance(60_000)
  expect((await world.bob.settle('hand-6', 'not_happened')).json()).toMatchObject({ action: { state: 'failed' } })
})

test('a refund that Stripe shows is settled as done, and never as not happened', async () => {
  const payment = await unknownRefund('hand-3', true)
  world.console.clock.advance(61_000)
  const [refund] = await refundsOf(world, payment)
  expect((await world.bob.evidence('hand-3')).json()).toEqual({
    happened: true,
    facts: ['Stripe lists 1 refund of this payment:', `$100.00, succeeded, ${refund!.id}: made by this action.`],
    settle_from: null,
  })
  expect((await world.bob.settle('hand-3', 'not_happened')).statusCode).toBe(409)
  expect((await world.bob.settle('hand-3', 'happened')).json()).toMatchObject({ action: { state: 'done' } })
  expect(await actionOf(world, 'hand-3')).toMatchObject({ state: 'done', result_id: refund!.id })
  expect((await world.ada.refund(payment, {}, 'hand-3')).json()).toMatchObject({ refund: { id: refund!.id } })
  expect((await world.bob.evidence('hand-3')).statusCode).toBe(409)
})

test('an outcome is not settled without its audit entry', async () => {
  const payment = await unknownRefund('hand-7', false)
  world.console.clock.advance(61_000)
  const { connectionString } = world.console.database
  await execute(
    connectionString,
    `create function break() returns trigger language plpgsql as $$ begin raise exception 'no entry'; end $$;
     create trigger break before insert on audit_entries for each row execute function break()`,
  )
  expect((await world.bob.settle('hand-7', 'not_happened')).statusCode).toBe(500)
  await execute(connectionString, 'drop trigger break on audit_entries; drop function break')
  expect(await actionOf(world, 'hand-7')).toMatchObject({ state: 'unknown' })
  expect(await auditOf(world, payment)).toEqual(['Ada payment.refund requested done'])
})

test('nobody settles what the console is asking about, what is unknown, or without the right to', async () => {
  await unknownRefund('hand-4', false)
  world.console.clock.advance(61_000)
  await whileIdle(world.console.ctx, resolveName, 'hand-4', async () =>
    expect((await world.bob.settle('hand-4', 'not_happened')).json()).toMatchObject({ status: 409, retryAfter: 60 }),
  )
  expect((await world.bob.settle('nothing', 'happened')).statusCode).toBe(404)
  const reader = person(world.console, 'Eve', ['billing.read'])
  expect((await reader.evidence('hand-4')).statusCode).toBe(403)
  expect((await reader.settle('hand-4', 'not_happened')).statusCode).toBe(403)
})
