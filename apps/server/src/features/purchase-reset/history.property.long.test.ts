import type { PurchasedSite, PurchaseReset } from '@agency/contract/types'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/context.ts'
import { dayMs, now, shopOf } from './test/shop.ts'

let t: TestContext
let shop: ReturnType<typeof shopOf>
beforeAll(async () => {
  t = await createTestContext({ now })
  shop = shopOf(t)
})
afterAll(() => t.close())

const ids = ['cs_a', 'cs_b', 'cs_c', 'cs_d']
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ type: fc.constant('reset' as const), id: fc.constantFrom(...ids, 'cs_none') }) },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant('bulk' as const),
      ids: fc.uniqueArray(fc.constantFrom(...ids), { minLength: 1 }),
    }),
  },
  { weight: 5, arbitrary: fc.record({ type: fc.constant('undo' as const), nth: fc.nat(9) }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('wait' as const), days: fc.integer({ min: 1, max: 40 }) }) },
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

/** What has to be true, kept in the plainest way. */
type Model = { held: Map<string, string>; entries: PurchaseReset[] }

/** What of an entry never changes. */
const kept = ({ isUndone: _, undoRefusal: __, ...entry }: PurchaseReset) => entry
const history = async () => (await shop.history('?limit=100')).resets.toReversed()
const sites = async () => (await shop.sites('?limit=100')).sites

async function take(model: Model, action: Step): Promise<void> {
  if (action.type === 'wait') {
    t.clock.advance(action.days * dayMs)
  } else if (action.type === 'undo') {
    const entry = model.entries[action.nth]
    const may =
      entry?.kind === 'reset' &&
      model.held.get(entry.purchaseId) === entry.id &&
      t.clock.now() <= Date.parse(entry.timestamp) + 30 * dayMs
    const answer = await shop.undo(entry?.id ?? 'nothing')
    expect(answer.statusCode).toBe(may ? 200 : entry ? 409 : 404)
    if (may) model.held.delete(entry.purchaseId)
  } else {
    const asked = action.type === 'reset' ? [action.id] : action.ids
    const free = asked.filter((id) => ids.includes(id) && !model.held.has(id))
    const answer = action.type === 'reset' ? await shop.reset(action.id) : await shop.bulk(action.ids)
    const made: PurchaseReset[] = answer.json().resets ?? (answer.json().reset ? [answer.json().reset] : [])
    expect(made.map(({ purchaseId }) => purchaseId)).toEqual(free)
    for (const entry of made) model.held.set(entry.purchaseId, entry.id)
  }
}

async function check(model: Model, original: PurchasedSite[]): Promise<void> {
  const entries = await history()
  expect(entries.slice(0, model.entries.length).map(kept)).toEqual(model.entries.map(kept))
  for (const entry of entries) {
    const site = original.find(({ id }) => id === entry.purchaseId)
    expect(entry.originalPurchaseData).toEqual(site?.data)
  }
  model.entries = entries
  expect(await sites()).toEqual(original.filter(({ id }) => !model.held.has(id)))
}

test('whatever is reset and undone, in any order, the history only grows and the sites are right', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 14 }), async (steps) => {
      t.clock.set(now)
      await shop.empty()
      await shop.buy(
        ...ids.map((id, index) => ({ id, amount_total: 1000 + index, metadata: { site_id: `s${index}` } })),
      )
      t.ctx.changes.tell('purchases')
      const original = await sites()
      const model: Model = { held: new Map(), entries: [] }
      for (const action of steps) {
        await take(model, action)
        await check(model, original)
      }
      for (const entry of model.entries) {
        const isOpen = t.clock.now() <= Date.parse(entry.timestamp) + 30 * dayMs
        if (isOpen && model.held.get(entry.purchaseId) === entry.id) {
          await shop.undo(entry.id)
          model.held.delete(entry.purchaseId)
        }
      }
      await check(model, original)
      expect(await shop.audit()).toHaveLength(model.entries.length)
    }),
    { numRuns: 40 },
  )
})
