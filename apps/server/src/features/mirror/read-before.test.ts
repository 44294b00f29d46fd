import { afterAll, beforeAll, expect, test } from 'vitest'
import { createOlderDatabase } from '../../../test/older-database.ts'

let older: Awaited<ReturnType<typeof createOlderDatabase>>
beforeAll(async () => {
  older = await createOlderDatabase('0117')
})
afterAll(() => older.drop())

const fetched = `1, now(), 'import'`
const payment = (id: string, status: string, captured: number, raw: object, stripeStatus = 'succeeded') => `
  insert into payments (id, amount, currency, status, stripe_status, amount_captured, created_at, latest_charge_id, raw,
    fetch_seq, fetched_at, source)
  values ('${id}', 1000, 'usd', '${status}', '${stripeStatus}', ${captured}, '2026-11-01', '${id}', '${JSON.stringify(raw)}', ${fetched})`
const subscription = (id: string, interval: string | null, items: object[]) => `
  insert into subscriptions (id, customer_id, status, stripe_status, currency, amount, mrr, billing_period, interval,
    interval_count, created_at, raw, fetch_seq, fetched_at, source)
  values ('${id}', 'cus_1', 'active', 'active', 'usd', 0, 0, 'monthly', ${interval && `'${interval}'`},
    ${interval && '1'}, '2026-11-01', '${JSON.stringify({ items: { data: items } })}', ${fetched})`

test('rows that were read with 0 for what was not said are put right, and no sum moves', async () => {
  for (const insert of [
    payment('ch_paid', 'succeeded', 1000, { object: 'charge', amount_captured: 1000 }),
    payment('ch_authorized', 'succeeded', 0, { object: 'charge', amount_captured: 0 }),
    payment('ch_released', 'refunded', 0, { object: 'charge', amount_captured: 0 }),
    payment('ch_silent', 'succeeded', 0, { object: 'charge' }),
    payment('ch_null', 'succeeded', 0, { object: 'charge', amount_captured: null }),
    payment('pi_waits', 'pending', 0, { object: 'payment_intent' }, 'requires_capture'),
    payment('pi_failed', 'failed', 0, { object: 'payment_intent' }, 'canceled'),
    subscription('sub_priced', 'month', [{ price: { id: 'price_1' } }]),
    subscription('sub_unpriced', null, [{ plan: 'old' }]),
  ])
    await older.run(insert)
  const sums = () => older.run('select sum(net) as net, sum(payments) as payments from payment_totals')
  const before = await sums()
  await older.migrate()
  expect(await sums()).toEqual(before)
  expect(await older.run('select id, status, amount_captured::int as captured from payments order by id')).toEqual([
    { id: 'ch_authorized', status: 'uncaptured', captured: 0 },
    { id: 'ch_null', status: 'unknown', captured: null },
    { id: 'ch_paid', status: 'succeeded', captured: 1000 },
    { id: 'ch_released', status: 'uncaptured', captured: 0 },
    { id: 'ch_silent', status: 'unknown', captured: null },
    { id: 'pi_failed', status: 'failed', captured: 0 },
    { id: 'pi_waits', status: 'uncaptured', captured: 0 },
  ])
  expect(await older.run('select id, amount::int, billing_period, mrr_known from subscriptions order by id')).toEqual([
    { id: 'sub_priced', amount: 0, billing_period: 'monthly', mrr_known: true },
    { id: 'sub_unpriced', amount: null, billing_period: null, mrr_known: false },
  ])
})
