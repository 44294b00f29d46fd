import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/context.ts'
import { idsOf, inOrder, readAllBackward, readAllForward } from '../../../test/paging.ts'
import { request } from '../../../test/request.ts'
import { dayMs, harbour, now, originalData, shopOf } from './test/shop.ts'

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

describe('the purchased sites', () => {
  test('carry everything that is specified', async () => {
    await shop.buyHarbour()
    expect(await shop.sites()).toEqual({
      sites: [
        {
          id: 'cs_1',
          siteId: 'site_h',
          siteName: 'Harbour Bakery',
          productionUrl: 'https://harbour.example/',
          status: 'completed',
          mode: 'test',
          refundedAmount: 0,
          refusal: null,
          data: originalData,
        },
      ],
      has_more: false,
      as_of: null,
      total: 1,
    })
  })

  test('are what was paid, and neither what is open, left, gone nor a saved card', async () => {
    await shop.buy(
      { id: 'cs_paid' },
      { id: 'cs_free', payment_status: 'no_payment_required' },
      { id: 'cs_open', status: 'open', payment_status: 'unpaid' },
      { id: 'cs_left', status: 'expired', payment_status: 'unpaid' },
      { id: 'cs_slow', payment_status: 'unpaid' },
      { id: 'cs_gone', deleted_at: now },
      { id: 'cs_card', mode: 'setup' },
    )
    expect((await shop.siteIds()).sort()).toEqual(['cs_free', 'cs_paid'])
    expect((await shop.sites()).total).toBe(2)
  })

  test('say in which mode they were bought; without a word of it they count as live', async () => {
    await shop.buy({ id: 'cs_test' }, { id: 'cs_live', raw: { livemode: true } }, { id: 'cs_unknown', raw: {} })
    const modes = async () => Object.fromEntries((await shop.sites()).sites.map(({ id, mode }) => [id, mode]))
    expect(await modes()).toEqual({ cs_test: 'test', cs_live: 'live', cs_unknown: 'live' })
    await shop.insert('stripe_accounts', { id: 'acct_1', livemode: false })
    t.ctx.changes.tell('purchases')
    expect(await modes()).toEqual({ cs_test: 'test', cs_live: 'live', cs_unknown: 'test' })
  })

  test('without an id of the site go by the id of the purchase', async () => {
    await shop.buy({ id: 'cs_1', metadata: { site_id: '  ' } }, { id: 'cs_2', metadata: { siteId: 's2' } })
    const sites = (await shop.sites()).sites.map(({ id, siteId }) => [id, siteId])
    expect(Object.fromEntries(sites)).toEqual({ cs_1: 'cs_1', cs_2: 's2' })
  })

  test('pages of any size, forward and backward, are the whole of it, without what is reset', async () => {
    const rows = Array.from({ length: 23 }, (_, index) => ({
      id: `cs_${index}`,
      created_at: new Date(Date.parse(now) - Math.floor(index / 3) * dayMs).toISOString(),
    }))
    await shop.buy(...rows)
    await shop.bulk(['cs_0', 'cs_7'])
    const shown = inOrder(
      rows.filter(({ id }) => id !== 'cs_0' && id !== 'cs_7'),
      ({ created_at }) => created_at,
    )
    const get = async (address: string) => (await shop.root.get(address)).json()
    for (const limit of [1, 4, 100]) {
      const path = `/v1/admin/purchased-sites?limit=${limit}`
      expect(await readAllForward(get, path, 'sites')).toEqual(shown)
      expect(await readAllBackward(get, path, 'sites', shown.at(-1))).toEqual(shown.slice(0, -1))
    }
    expect((await shop.sites()).total).toBe(21)
  })

  test.each([
    ['HARBOUR', ['cs_1']],
    ['site_h', ['cs_1']],
    ['cs_2', ['cs_2']],
    ['ada@', ['cs_1']],
    ['100%', ['cs_2']],
    ['s_t', []],
  ])('searched for %s', async (term, ids) => {
    await shop.buyHarbour()
    await shop.buy({ id: 'cs_2', metadata: { site_name: '100% Cove' } })
    const { sites, total } = await shop.sites(`?search=${encodeURIComponent(term)}`)
    expect([idsOf(sites), total]).toEqual([ids, ids.length])
  })

  test.each(['limit=0', 'limit=101', 'starting_after=cs_unknown', `search=${'x'.repeat(201)}`])(
    'refuse %s',
    async (query) => {
      expect((await shop.root.get(`/v1/admin/purchased-sites?${query}`)).statusCode).toBe(400)
    },
  )
})

describe('the preview', () => {
  const preview = (purchaseIds: unknown, as: Parameters<ReturnType<typeof request>['as']>[0] = 'super_admin') =>
    request(t.ctx).as(as).post('/v1/admin/purchase-resets/preview', { purchaseIds })

  test('says what would be touched, what is refused and how much money stays, and changes nothing', async () => {
    await shop.insert('payments', { id: 'pi_2', amount: 3000, amount_refunded: 1000 })
    await shop.buy(
      { id: 'cs_1', metadata: harbour, amount_total: 4000 },
      { id: 'cs_2', amount_total: 3000, payment_id: 'pi_2' },
      { id: 'cs_3', amount_total: 500, currency: 'eur' },
      { id: 'cs_live', raw: { livemode: true } },
    )
    const before = await shop.state()
    const answer = (await preview(['cs_1', 'cs_2', 'cs_3', 'cs_live', 'cs_none'])).json()
    expect(idsOf(answer.sites)).toEqual(['cs_1', 'cs_2', 'cs_3'])
    expect(answer.kept).toEqual([
      { currency: 'usd', amount: 6000 },
      { currency: 'eur', amount: 500 },
    ])
    expect(answer.refused.map(({ purchaseId }: { purchaseId: string }) => purchaseId)).toEqual(['cs_live', 'cs_none'])
    expect(await shop.state()).toEqual(before)
  })

  test('refuses nothing at all with the words of the screen', async () => {
    const response = await preview([])
    expect([response.statusCode, response.json().detail]).toEqual([
      400,
      'purchaseIds: Please select at least one site to reset.',
    ])
  })
})

describe('the site configuration', () => {
  test('names every purchased site by its newest purchase, at the root too, for whoever has a key', async () => {
    await shop.buy(
      { id: 'cs_1', metadata: { ...harbour, site_name: 'Old name', production_url: 'javascript:alert(1)' } },
      { id: 'cs_2', metadata: harbour, created_at: '2026-11-21T09:00:00Z' },
      { id: 'cs_3', metadata: { site_id: '__proto__', site_name: 'Odd' } },
      { id: 'cs_open', status: 'open', payment_status: 'unpaid' },
      { id: 'cs_sub', mode: 'subscription', subscription_id: 'sub_1' },
    )
    await shop.insert('products', { id: 'prod_1', name: 'Starter' })
    await shop.insert('subscriptions', { id: 'sub_1', customer_id: 'cus_1', product_id: 'prod_1' })
    const expected = JSON.stringify({
      siteConfigurations: { site_h: { siteName: 'Harbour Bakery', productionUrl: 'https://harbour.example/' } },
    })
    const caller = request(t.ctx).as(['sites.read'])
    for (const url of ['/api/site-config.json', '/site-config.json']) {
      const response = await caller.inject({ method: 'GET', url })
      const { siteConfigurations } = response.json()
      expect(Object.keys(siteConfigurations).sort()).toEqual(['__proto__', 'cs_sub', 'site_h'])
      expect(siteConfigurations.cs_sub).toEqual({ siteName: 'Starter', productionUrl: null })
      const { ['site_h']: known } = siteConfigurations
      expect(JSON.stringify({ siteConfigurations: { site_h: known } })).toBe(expected)
    }
    const nobody = await request(t.ctx).anonymous().inject({ method: 'GET', url: '/site-config.json' })
    expect(nobody.statusCode).toBe(401)
  })
})
