import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/context.ts'
import { harbour, now, originalData, resetOf, shopOf } from './test/shop.ts'

let t: TestContext
let shop: ReturnType<typeof shopOf>
beforeAll(async () => {
  t = await createTestContext({ now })
  shop = shopOf(t)
})
afterAll(() => t.close())
beforeEach(async () => {
  t.clock.set(now)
  await shop.empty()
})

describe('a reset', () => {
  test('takes the site from the list and appends an entry that keeps the purchase', async () => {
    await shop.buyHarbour()
    const response = await shop.reset('cs_1', { reason: '  Ordered twice  ' })
    expect(response.statusCode).toBe(200)
    expect(resetOf(response)).toEqual({
      id: expect.any(String),
      kind: 'reset',
      resetId: null,
      purchaseId: 'cs_1',
      timestamp: now,
      siteId: 'site_h',
      siteName: 'Harbour Bakery',
      adminInfo: { type: 'user', id: 'test-super_admin', name: 'Test super_admin' },
      resetReason: 'Ordered twice',
      originalPurchaseData: originalData,
      isUndone: false,
      undoableUntil: '2026-12-21T12:00:00.000Z',
      undoRefusal: null,
    })
    expect(await shop.siteIds()).toEqual([])
    expect((await shop.history()).resets).toEqual([resetOf(response)])
    expect(await shop.audit()).toEqual([
      {
        action: 'purchase.reset',
        resource_id: 'cs_1',
        before: { state: 'purchased' },
        after: {
          state: 'reset',
          name: 'Harbour Bakery',
          site_id: 'site_h',
          reason: 'Ordered twice',
          reset_id: resetOf(response).id,
        },
      },
    ])
  })

  test.each([[undefined], [{}], [{ reason: '' }], [{ reason: '   ' }]])(
    'without a reason (%j) says so',
    async (body) => {
      await shop.buyHarbour()
      expect(resetOf(await shop.reset('cs_1', body)).resetReason).toBe('No reason provided')
    },
  )

  test('keeps the purchase as it was, whatever becomes of it', async () => {
    await shop.buyHarbour()
    await shop.reset('cs_1')
    await shop.sql(`update checkout_sessions set amount_total = 1, metadata = '{}', customer_email = null`)
    expect((await shop.history()).resets[0]?.originalPurchaseData).toEqual(originalData)
  })

  const refused: [string, () => Promise<unknown>, number, RegExp][] = [
    ['a purchase that nobody knows', async () => {}, 404, /does not exist/],
    ['one that is gone', () => shop.buyHarbour({ deleted_at: now }), 404, /does not exist/],
    ['a saved card', () => shop.buyHarbour({ mode: 'setup' }), 404, /does not exist/],
    ['an open checkout', () => shop.buyHarbour({ status: 'open', payment_status: 'unpaid' }), 409, /not paid yet/],
    [
      'a failed checkout',
      () => shop.buyHarbour({ status: 'expired', payment_status: 'unpaid' }),
      409,
      /failed or was abandoned/,
    ],
    ['a live purchase', () => shop.buyHarbour({ raw: { livemode: true } }), 409, /refund in full first/],
    [
      'a live purchase that was refunded in part',
      async () => {
        await shop.insert('payments', { id: 'pi_1', amount: 4000, amount_refunded: 1000 })
        await shop.buyHarbour({ raw: { livemode: true }, payment_id: 'pi_1' })
      },
      409,
      /\$10\.00 of \$40\.00 refunded/,
    ],
    [
      'a refunded live purchase whose subscription runs',
      async () => {
        await shop.insert('payments', { id: 'pi_1', status: 'refunded', amount: 4000, amount_refunded: 4000 })
        await shop.insert('subscriptions', { id: 'sub_1', customer_id: 'cus_1' })
        await shop.buyHarbour({
          raw: { livemode: true },
          payment_id: 'pi_1',
          subscription_id: 'sub_1',
          mode: 'subscription',
        })
      },
      409,
      /active subscription/,
    ],
    [
      'one with a refund under way',
      async () => {
        await shop.insert('payments', { id: 'pi_1', amount: 4000 })
        const action = { id: 'a1', kind: 'refund', target_id: 'pi_1', provider_key: 'k1', state: 'unknown' }
        await shop.insert('money_actions', { ...action, amount: 4000, currency: 'usd' })
        await shop.buyHarbour({ payment_id: 'pi_1' })
      },
      409,
      /refund is in progress/,
    ],
    [
      'one that is reset already',
      async () => {
        await shop.buyHarbour()
        await shop.reset('cs_1')
      },
      409,
      /Already reset by Test super_admin on 2026-11-21/,
    ],
  ]
  test.each(refused)('of %s is refused, and changes nothing', async (_, prepare, status, detail) => {
    await prepare()
    const before = await shop.state()
    const response = await shop.reset('cs_1', {}, 'key')
    expect([response.statusCode, response.json().detail]).toEqual([status, expect.stringMatching(detail)])
    expect(await shop.state()).toEqual(before)
    const bulk = (await shop.bulk(['cs_1'])).json()
    expect([bulk.success, bulk.resets, bulk.refused.length]).toEqual([false, [], 1])
  })

  test('of a live purchase is made once it was refunded in full', async () => {
    await shop.insert('payments', { id: 'pi_1', status: 'refunded', amount: 4000, amount_refunded: 4000 })
    await shop.buyHarbour({ raw: { livemode: true }, payment_id: 'pi_1' })
    expect((await shop.sites()).sites[0]).toMatchObject({ mode: 'live', status: 'refunded', refundedAmount: 4000 })
    expect((await shop.reset('cs_1')).statusCode).toBe(200)
  })

  test('repeated under its key is answered again, and made once', async () => {
    await shop.buyHarbour()
    const answers = await Promise.all([shop.reset('cs_1', {}, 'key'), shop.reset('cs_1', {}, 'key')])
    const later = await shop.reset('cs_1', {}, 'key')
    for (const answer of [...answers, later]) expect(answer.json()).toEqual(answers[0]?.json())
    expect([later.statusCode, (await shop.history()).total, (await shop.audit()).length]).toEqual([200, 1, 1])
    const other = await shop.reset('cs_1', { reason: 'Another' }, 'key')
    expect([other.statusCode, other.json().code]).toEqual([409, 'idempotency_conflict'])
  })

  test.each([[{ reason: 'x'.repeat(1001) }], [{ reason: 7 }], [{ reasons: 'x' }]])('refuses %j', async (body) => {
    await shop.buyHarbour()
    const before = await shop.state()
    expect((await shop.reset('cs_1', body)).statusCode).toBe(400)
    expect(await shop.state()).toEqual(before)
  })
})

describe('a bulk reset', () => {
  test('tells of each site what became of it; done ones stay done', async () => {
    await shop.buy({ id: 'cs_1', metadata: harbour }, { id: 'cs_2' }, { id: 'cs_live', raw: { livemode: true } })
    await shop.reset('cs_2')
    const answer = (await shop.bulk(['cs_live', 'cs_1', 'cs_none', 'cs_2'], { reason: '' })).json()
    expect(answer.success).toBe(true)
    expect(answer.resets).toMatchObject([{ purchaseId: 'cs_1', resetReason: 'Bulk reset - no reason provided' }])
    expect(answer.refused).toEqual([
      { purchaseId: 'cs_live', siteName: 'Unnamed site', reason: 'Live purchase: refund in full first.' },
      { purchaseId: 'cs_none', siteName: null, reason: 'There is no such purchase.' },
      {
        purchaseId: 'cs_2',
        siteName: 'Unnamed site',
        reason: 'Already reset by Test super_admin on 2026-11-21.',
      },
    ])
    expect(await shop.siteIds()).toEqual(['cs_live'])
    expect((await shop.audit()).map(({ resource_id }) => resource_id)).toEqual(['cs_2', 'cs_1'])
  })

  test('pressed twice makes one entry for each site, and answers the same', async () => {
    const ids = Array.from({ length: 12 }, (_, index) => `cs_${index}`)
    await shop.buy(...ids.map((id) => ({ id })))
    const answers = await Promise.all([shop.bulk(ids, {}, 'key'), shop.bulk(ids, {}, 'key')])
    const later = await shop.bulk(ids, {}, 'key')
    for (const answer of [...answers, later]) expect(answer.json()).toEqual(answers[0]?.json())
    expect(later.json()).toMatchObject({ success: true, refused: [] })
    expect([(await shop.history()).total, (await shop.audit()).length]).toEqual([12, 12])
  })

  test('that was broken off goes on under its key with what is left', async () => {
    await shop.buy({ id: 'cs_1' }, { id: 'cs_2' })
    await shop.sql(`create function break_it() returns trigger language plpgsql as $$
      begin if new.purchase_id = 'cs_2' then raise exception 'broken'; end if; return new; end $$`)
    await shop.sql('create trigger broken before insert on purchase_resets for each row execute function break_it()')
    expect((await shop.bulk(['cs_1', 'cs_2'], {}, 'key')).statusCode).toBe(500)
    expect((await shop.history()).total).toBe(1)
    await shop.sql('drop trigger broken on purchase_resets')
    await shop.sql('drop function break_it')
    const answer = (await shop.bulk(['cs_1', 'cs_2'], {}, 'key')).json()
    expect([answer.resets.length, answer.refused]).toEqual([2, []])
    expect((await shop.history()).total).toBe(2)
  })

  test.each([[[]], ['cs_1'], [['cs_1', 'cs_1']], [['']], [Array.from({ length: 501 }, (_, index) => `cs_${index}`)]])(
    'refuses %j',
    async (ids) => {
      await shop.buy({ id: 'cs_1' })
      const before = await shop.state()
      expect((await shop.bulk(ids)).statusCode).toBe(400)
      expect(await shop.state()).toEqual(before)
    },
  )
})
