import { afterAll, beforeAll, expect, test } from 'vitest'
import { runJob } from '../../../test/context.ts'
import { type Console, openConsole, startTestSandbox } from '../../../test/fixtures/mirror.ts'
import { startWorld } from '../../../test/fixtures/world.ts'
import { insertEvent } from './queries/events.ts'

let world: Awaited<ReturnType<typeof startTestSandbox>>
let console_: Console
beforeAll(async () => {
  world = await startTestSandbox({ size: { customers: 2 } })
  console_ = await openConsole(world.sandbox)
})
afterAll(async () => {
  await console_?.close()
  await world?.stop()
})

async function hear(kind: 'payment' | 'refund', id: string, event: string): Promise<void> {
  const now = new Date(console_.ctx.clock())
  const told = { type: `${kind}.updated`, createdAt: now, apiVersion: null, payload: {}, receivedAt: now }
  await insertEvent(console_.ctx.db, { id: event, object: { kind, id }, origin: 'webhook', ...told })
  await runJob(console_.ctx, 'mirror.apply', { kind, id })
}

test('a refund that the bank refuses later is told once', async () => {
  const { client } = await startWorld(world.sandbox)
  const { payment_intent: payment } = await world.sandbox.control.scenario('payment_succeeds', { amount: 4000 })
  await hear('payment', String(payment), 'evt_1')
  const refund = await client.refunds.create({ payment_intent: String(payment), amount: 500 })
  await hear('refund', refund.id, 'evt_2')
  const told = () =>
    console_.ctx.db.selectFrom('notifications').selectAll().where('type', '=', 'refund.failed').execute()
  expect(await told()).toEqual([])
  await world.sandbox.control.scenario('refund_fails', { refund: refund.id })
  await hear('refund', refund.id, 'evt_3')
  await hear('refund', refund.id, 'evt_4')
  expect(await told()).toMatchObject([
    {
      dedupe_key: `refund.failed:${refund.id}`,
      title: 'The refund of $5.00 failed',
      body: 'Reason from Stripe: expired or canceled card. The money is back in your Stripe balance. Pay the customer another way.',
      link: `/admin/payments?open=${payment}`,
    },
  ])
})
