import { afterEach, beforeEach, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/context.ts'
import { customer, payment, price, product, refund, subscription, write } from './test/objects.ts'

let t: TestContext
beforeEach(async () => {
  t = await createTestContext({ now: '2026-11-25T12:00:00Z' })
})
afterEach(() => t.close())

const rounds = 40
const small = price('small', 1000)
const big = price('big', 5000)

const kept = async () =>
  (
    await t.ctx.pool.query<{ segment: string; net: string }>(
      'select segment, sum(net) as net from segment_hours group by segment having sum(net) <> 0 order by segment',
    )
  ).rows

const recomputed = async () =>
  (
    await t.ctx.pool.query<{ segment: string; net: string }>(
      `select coalesce(c.segment, 'other') as segment, sum(p.net_amount) as net
       from payments p left join customers c on c.id = p.customer_id
       where p.deleted_at is null group by 1 having sum(p.net_amount) <> 0 order by 1`,
    )
  ).rows

test('no money is lost between segments when payments and plans change at the same time', async () => {
  await write(t, 'product', [product('prod_big', 'Business', 'enterprise'), product('prod_small', 'Care')])
  for (let round = 0; round < rounds; round++) {
    const who = `cus_${round % 4}`
    const at = `2026-11-${String(1 + (round % 20)).padStart(2, '0')}T10:00:00Z`
    const sold = { created: '2026-01-01T00:00:00Z', customer: who }
    await Promise.all([
      write(t, 'payment', [payment(`p${round}`, at, 1000 + round, { customer: who })]),
      write(t, 'subscription', [subscription(`sub_${who}`, round % 3 === 0 ? big : small, sold)]),
      write(t, 'customer', [customer(who)]),
      round > 4 ? write(t, 'refund', [refund(`r${round}`, `p${round - 4}`, at, 100)]) : undefined,
    ])
  }
  expect(await kept()).toEqual(await recomputed())
  expect((await kept()).length).toBeGreaterThan(1)
})
