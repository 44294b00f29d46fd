import type { PurchaseReset } from '@agency/contract/types'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/context.ts'
import { idsOf, readAllBackward, readAllForward } from '../../../test/paging.ts'
import { request } from '../../../test/request.ts'
import { dayMs, harbour, now, originalData, resetOf, shopOf } from './test/shop.ts'

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

describe('an undo', () => {
  test('restores exactly what was there before, and appends an entry', async () => {
    await shop.buyHarbour()
    await shop.buy({ id: 'cs_2' })
    const before = await shop.sites()
    const { id } = resetOf(await shop.reset('cs_1', { reason: 'Mistake' }))
    expect(await shop.sites()).not.toEqual(before)
    t.clock.advance(30 * dayMs)
    const response = await shop.undo(id, { reason: 'It was right' })
    expect(response.json()).toMatchObject({
      success: true,
      undo: { kind: 'undo', resetId: id, purchaseId: 'cs_1', resetReason: 'It was right', undoableUntil: null },
    })
    expect(response.json().undo.originalPurchaseData).toEqual(originalData)
    expect(await shop.sites()).toEqual(before)
    expect((await shop.history()).resets.map(({ kind, undoRefusal }) => [kind, undoRefusal])).toEqual([
      ['undo', 'Only a reset can be undone.'],
      ['reset', 'Already undone by Test super_admin.'],
    ])
    expect((await shop.audit()).at(-1)).toMatchObject({
      action: 'purchase.reset_undo',
      resource_id: 'cs_1',
      before: { state: 'reset', reset_id: id },
      after: { state: 'purchased', reason: 'It was right' },
    })
    expect((await shop.reset('cs_1')).statusCode).toBe(200)
  })

  test('is made once, however often it is asked for at once', async () => {
    await shop.buyHarbour()
    const { id } = resetOf(await shop.reset('cs_1'))
    const answers = await Promise.all([
      shop.undo(id),
      shop.undo(id),
      shop.undo(id, {}, 'key'),
      shop.undo(id, {}, 'key'),
    ])
    expect(answers.map(({ statusCode }) => statusCode).filter((status) => status === 200).length).toBeLessThanOrEqual(2)
    expect((await shop.history()).total).toBe(2)
    expect(await shop.siteIds()).toEqual(['cs_1'])
  })

  const refused: [string, (reset: PurchaseReset) => Promise<unknown>, RegExp][] = [
    ['after thirty days', async () => t.clock.advance(30 * dayMs + 1), /more than 30 days ago/],
    ['of what was undone', ({ id }) => shop.undo(id), /Already undone by Test super_admin/],
    [
      'of a purchase that is gone',
      () => shop.sql('delete from checkout_sessions'),
      /no longer in the connected Stripe account/,
    ],
    [
      'of a site that was purchased again',
      () => shop.buy({ id: 'cs_new', metadata: harbour, created_at: '2026-11-22T12:00:00Z' }),
      /purchased again/,
    ],
  ]
  test.each(refused)('%s is refused, and changes nothing', async (_, prepare, detail) => {
    await shop.buyHarbour()
    const reset = resetOf(await shop.reset('cs_1'))
    await prepare(reset)
    const before = await shop.state()
    const response = await shop.undo(reset.id, {}, 'key')
    expect([response.statusCode, response.json().detail]).toEqual([409, expect.stringMatching(detail)])
    expect(await shop.state()).toEqual(before)
    const listed = (await shop.history()).resets.find(({ id }) => id === reset.id)
    expect(listed?.undoRefusal).toMatch(detail)
  })

  test('of another purchase of the site that was there all along is no obstacle', async () => {
    await shop.buyHarbour()
    await shop.buy({ id: 'cs_2', metadata: harbour, created_at: '2026-11-21T09:00:00Z' })
    const before = await shop.sites()
    await shop.undo(resetOf(await shop.reset('cs_1')).id)
    expect(await shop.sites()).toEqual(before)
  })

  test('of nothing is not found', async () => {
    expect((await shop.undo('nothing')).statusCode).toBe(404)
  })
})

describe('the history', () => {
  test('pages forward and backward, and can be searched', async () => {
    await shop.buy(
      { id: 'cs_1', metadata: harbour },
      ...Array.from({ length: 6 }, (_, index) => ({ id: `cs_x${index}` })),
    )
    await shop.bulk(['cs_1', ...Array.from({ length: 6 }, (_, index) => `cs_x${index}`)])
    const all = idsOf((await shop.history('?limit=100')).resets)
    expect(all).toHaveLength(7)
    const get = async (address: string) => (await shop.root.get(address)).json()
    expect(await readAllForward(get, '/v1/admin/purchase-resets?limit=3', 'resets')).toEqual(all)
    expect(await readAllBackward(get, '/v1/admin/purchase-resets?limit=3', 'resets', all.at(-1))).toEqual(
      all.slice(0, -1),
    )
    const { resets, total } = await shop.history('?search=harbour')
    expect([resets.map(({ purchaseId }) => purchaseId), total]).toEqual([['cs_1'], 1])
  })

  test.each([
    'update purchase_resets set reason = $$x$$',
    'delete from purchase_resets',
    'truncate purchase_resets cascade',
  ])('is append-only for the database too: %s', async (text) => {
    await shop.buyHarbour()
    await shop.reset('cs_1')
    await expect(shop.sql(text)).rejects.toThrow('append-only')
  })

  test('outlives the mirror', async () => {
    await shop.buyHarbour()
    await shop.reset('cs_1')
    await shop.sql('truncate checkout_sessions')
    expect((await shop.history()).total).toBe(1)
  })
})

test('without the permission every call is refused, and nothing changes', async () => {
  await shop.buyHarbour()
  const { id } = resetOf(await shop.reset('cs_1'))
  await shop.buy({ id: 'cs_2' })
  const reader = request(t.ctx).as(['billing.read'])
  const stranger = request(t.ctx).as(['sites.read'])
  const entries = async () => (await shop.history()).resets
  const before = await entries()
  const answers = await Promise.all([
    shop.reset('cs_2', {}, undefined, reader),
    shop.bulk(['cs_2'], {}, undefined, reader),
    shop.undo(id, {}, undefined, reader),
    reader.post('/v1/admin/purchase-resets/preview', { purchaseIds: ['cs_2'] }),
    stranger.get('/v1/admin/purchased-sites'),
    stranger.get('/v1/admin/purchase-resets'),
    reader.get('/site-config.json'),
  ])
  expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(7).fill(403))
  expect(answers[0]?.json().permission).toBe('billing.write')
  expect(await entries()).toEqual(before)
  expect(await shop.siteIds()).toEqual(['cs_2'])
})

test('a reset and an undo are told to whoever watches purchases', async () => {
  await shop.buyHarbour()
  const told = () => t.ctx.changes.version(['purchases'])
  let before = told()
  const { id } = resetOf(await shop.reset('cs_1'))
  await expect.poll(told).toBeGreaterThan(before + 1)
  before = told()
  await shop.undo(id)
  await expect.poll(told).toBeGreaterThan(before + 1)
})
