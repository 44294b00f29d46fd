import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/context.ts'
import { asSystem, inTransaction } from '../../context.ts'
import type { ObjectKind, ProviderObject, StripeGateway } from '../../integrations/stripe/gateway.ts'
import { applyObject } from './apply.ts'
import { recomputeMrrDue } from './check.ts'
import { reconstructMrr } from './mrr-history.ts'
import { insertEvent } from './queries/events.ts'
import { verifyTotals } from './queries/totals.ts'
import { writeObjects } from './writer.ts'

const s = (iso: string) => Date.parse(iso) / 1000
const at = ['2026-03-01T10:00:00Z', '2026-04-10T10:00:00Z', '2026-05-10T10:00:00Z', '2026-06-20T10:00:00Z'] as const
const month = (unit_amount: number) => ({
  ...{ id: `price_${unit_amount}`, unit_amount, product: 'prod_1' },
  recurring: { interval: 'month', interval_count: 1 },
})

type Options = { amount: number; status?: string; ended?: string; id?: string; customer?: string; created?: string }
const subscription = ({
  amount,
  status = 'active',
  ended,
  id = 'sub_1',
  customer = 'cus_1',
  created = at[0],
}: Options) => ({
  ...{ id, object: 'subscription', customer, status, currency: 'usd', discounts: [], cancel_at_period_end: false },
  ...{ created: s(created), start_date: s(created), ended_at: ended === undefined ? null : s(ended) },
  items: { data: [{ id: `si_${id}`, quantity: 1, discounts: [], price: month(amount) }] },
})

const versions = [
  subscription({ amount: 1000 }),
  subscription({ amount: 3000 }),
  subscription({ amount: 2000 }),
  subscription({ amount: 2000, status: 'canceled', ended: at[3] }),
]
const types = ['created', 'updated', 'updated', 'deleted'].map((what) => `customer.subscription.${what}`)

let t: TestContext
let now: Record<string, unknown>
beforeEach(async () => {
  const gateway = {
    livemode: false,
    in: () => gateway,
    getAccount: async () => ({
      id: 'acct_1',
      name: null,
      defaultCurrency: 'usd',
      raw: { id: 'acct_1', object: 'account' },
    }),
    findObject: async (kind: ObjectKind) => (kind === 'subscription' ? now : null),
    listDiscounts: async () => [],
  } as unknown as StripeGateway
  t = await createTestContext({ now: '2026-07-01T00:00:00Z', stripe: gateway })
  await sql`insert into mirror_imports (id, state, reason, started_at) values ('i', 'done', 'first', '2026-02-01')`.execute(
    t.ctx.db,
  )
})
afterEach(() => t.close())

async function tell(index: number): Promise<void> {
  const payload = { id: `evt_${index}`, created: s(at[index]!), data: { object: versions[index] } }
  await insertEvent(t.ctx.db, {
    ...{ id: `evt_${index}`, type: types[index]!, createdAt: new Date(at[index]!), apiVersion: null, payload },
    ...{ object: { kind: 'subscription', id: 'sub_1' }, origin: 'webhook', receivedAt: new Date(t.ctx.clock()) },
  })
}
const apply = () => applyObject(asSystem(t.ctx, 'job', 'test'), { kind: 'subscription', id: 'sub_1' }, 'webhook')

async function movements(): Promise<string[]> {
  const { rows } = await sql<{ line: string }>`
    select iso_utc(at) || ' ' || kind || ' ' || trim_scale(before) || ' → ' || trim_scale(after)
      || case when reconstructed then ' (reconstructed)' else '' end as line
    from mrr_movements order by customer_id, at`.execute(t.ctx.db)
  return rows.map(({ line }) => line)
}

const history = [
  '2026-03-01T10:00:00Z new 0 → 1000',
  '2026-04-10T10:00:00Z expansion 1000 → 3000',
  '2026-05-10T10:00:00Z contraction 3000 → 2000',
  '2026-06-20T10:00:00Z churn 2000 → 0',
]

let seq = 10_000
async function write(kind: ObjectKind, objects: object[], source: 'import' | 'webhook' = 'import'): Promise<void> {
  const fetch = { fetchSeq: ++seq, fetchedAt: new Date(t.ctx.clock()), source }
  await inTransaction(t.ctx, (tx) => writeObjects(tx, kind, objects as ProviderObject[], fetch))
}

describe('what a subscription paid over time', () => {
  test('is told by events as they happen', async () => {
    for (const [index, version] of versions.entries()) {
      t.clock.set(Date.parse(at[index]!) + 2000)
      now = version
      await tell(index)
      await apply()
      expect(await verifyTotals(t.ctx.db)).toEqual([])
    }
    expect(await movements()).toEqual(history)
  })

  test.each([
    ['backwards', [3, 2, 1, 0]],
    ['shuffled and twice', [2, 0, 0, 3, 1, 2, 3]],
    ['with the end first', [3, 0, 1, 2]],
  ])('is the same when events come late, %s', async (_how, order) => {
    now = versions[3]!
    for (const index of order) {
      await tell(index)
      await apply()
      expect(await verifyTotals(t.ctx.db)).toEqual([])
    }
    expect(await movements()).toEqual(history)
  })

  test('is what its rows still say when no event came at all', async () => {
    await write('subscription', [versions[1]!], 'webhook')
    expect(await movements()).toEqual(['2026-03-01T10:00:00Z new 0 → 3000'])
    await write('subscription', [versions[3]!], 'webhook')
    expect((await movements()).at(-1)).toBe('2026-06-20T10:00:00Z churn 3000 → 0')
  })
})

test('a discount that ends counts from that second, whenever it is noticed', async () => {
  const coupon = { id: 'half', object: 'coupon', percent_off: 50, duration: 'repeating', created: 1, valid: true }
  await write('coupon', [coupon])
  t.clock.set('2026-04-01T00:00:00Z')
  const discount = {
    id: 'di_1',
    object: 'discount',
    end: s('2026-05-01T00:00:00Z'),
    source: { type: 'coupon', coupon },
  }
  await write('subscription', [{ ...versions[0]!, discounts: [discount] }], 'webhook')
  t.clock.set('2026-05-01T00:07:30Z')
  await recomputeMrrDue(asSystem(t.ctx, 'job', 'test'))
  expect(await movements()).toEqual(['2026-03-01T10:00:00Z new 0 → 500', '2026-05-01T00:00:00Z expansion 500 → 1000'])
})

describe('movements of a customer', () => {
  test('a subscription that takes the place of another is neither churn nor new', async () => {
    const moved = '2026-05-01T12:00:00Z'
    await write('subscription', [
      subscription({ amount: 1000, status: 'canceled', ended: moved }),
      subscription({ id: 'sub_2', amount: 1500, created: '2026-05-01T12:04:00Z' }),
    ])
    expect(await movements()).toEqual([
      '2026-03-01T10:00:00Z new 0 → 1000 (reconstructed)',
      '2026-05-01T12:00:00Z expansion 1000 → 1500',
    ])
  })

  test('one who comes back after months is reactivated, and a second subscription is expansion', async () => {
    await write('subscription', [
      subscription({ amount: 1000, status: 'canceled', ended: '2026-04-01T00:00:00Z' }),
      subscription({ id: 'sub_2', amount: 700, created: '2026-05-01T00:00:00Z' }),
      subscription({ id: 'sub_3', amount: 300, created: '2026-06-01T00:00:00Z' }),
    ])
    expect((await movements()).slice(1)).toEqual([
      '2026-04-01T00:00:00Z churn 1000 → 0',
      '2026-05-01T00:00:00Z reactivation 0 → 700',
      '2026-06-01T00:00:00Z expansion 700 → 1000',
    ])
  })

  test('a row that is taken back was never there', async () => {
    await write('subscription', [versions[0]!])
    await sql`delete from subscriptions`.execute(t.ctx.db)
    expect(await movements()).toEqual([])
    expect(await verifyTotals(t.ctx.db)).toEqual([])
  })
})

test('what was before the first import is reconstructed from paid invoices, and marked', async () => {
  const created = '2025-12-01T00:00:00Z'
  const line = (amount: number, from: string, to: string) => ({
    ...{ id: `il_${from}`, amount, quantity: 1, period: { start: s(from), end: s(to) } },
    pricing: { price_details: { price: `price_${amount}` } },
    parent: { type: 'subscription_item_details', subscription_item_details: {} },
  })
  const invoice = (amount: number, from: string, to: string) => ({
    ...{ id: `in_${from}`, object: 'invoice', customer: 'cus_1', status: 'paid', currency: 'usd', created: s(from) },
    ...{ amount_due: amount, amount_paid: amount, amount_remaining: 0, attempt_count: 1 },
    parent: { type: 'subscription_details', subscription_details: { subscription: 'sub_1' } },
    lines: { data: [line(amount, from, to)] },
  })
  const price = (amount: number) => ({
    ...month(amount),
    ...{ object: 'price', active: true, currency: 'usd', type: 'recurring', billing_scheme: 'per_unit', created: 1 },
  })
  await write('price', [price(1000), price(3000)])
  await write('subscription', [subscription({ amount: 3000, created })])
  await write('invoice', [
    invoice(1000, '2025-12-01T00:00:00Z', '2026-01-01T00:00:00Z'),
    invoice(3000, '2026-01-01T00:00:00Z', '2026-02-01T00:00:00Z'),
    invoice(3000, '2026-02-01T00:00:00Z', '2026-03-01T00:00:00Z'),
  ])
  for (let time = 0; time < 2; time++) {
    await reconstructMrr(asSystem(t.ctx, 'job', 'test'), new AbortController().signal)
    expect(await movements()).toEqual([
      '2025-12-01T00:00:00Z new 0 → 1000 (reconstructed)',
      '2026-01-01T00:00:00Z expansion 1000 → 3000 (reconstructed)',
    ])
  }
  expect(await verifyTotals(t.ctx.db)).toEqual([])
})
