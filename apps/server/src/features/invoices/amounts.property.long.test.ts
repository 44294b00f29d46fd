import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { logLength, makeCustomer, newKey, sentSince } from '../../../test/provider-world.ts'
import { invoicesOf, order, startWorld, type World } from './test/world.ts'

let world: World

beforeAll(async () => {
  world = await startWorld()
})

afterAll(() => world?.close())

const line = fc.record({
  description: fc.string({ minLength: 1, maxLength: 60 }).filter((text) => text.trim() !== '' && !text.includes('\0')),
  unit_amount: fc.integer({ min: 1, max: 400_000 }),
  quantity: fc.integer({ min: 1, max: 9 }),
})
const currency = fc.constantFrom('usd', 'eur', 'jpy', 'clp')
const good = fc.record({ currency, lines: fc.array(line, { minLength: 1, maxLength: 4 }), days_until_due: fc.nat(90) })

test('the provider makes of the lines exactly what was previewed', async () => {
  await fc.assert(
    fc.asyncProperty(good, async (wanted) => {
      const customer = await makeCustomer(world)
      const body = order(customer, wanted)
      const preview = (await world.ada.preview(body)).json()
      const sum = wanted.lines.reduce((all, { unit_amount, quantity }) => all + unit_amount * quantity, 0)
      expect(preview).toMatchObject({ total: sum, amount_due: sum, currency: wanted.currency })
      const answer = await world.ada.create(body, newKey())
      expect(answer.json()).toMatchObject({ invoice: { amount_due: sum, currency: wanted.currency } })
      const [made] = await invoicesOf(world, customer)
      expect(made).toMatchObject({ total: sum, amount_due: sum, status: 'open' })
      const lines = (made!['lines'] as { data: { amount: number; quantity: number }[] }).data
      expect(lines.map(({ amount, quantity }) => [amount, quantity])).toEqual(
        wanted.lines.map(({ unit_amount, quantity }) => [unit_amount * quantity, quantity]),
      )
      expect(Date.parse(preview.due_date) / 1000 - Number(made!['due_date'])).toBeLessThan(60)
    }),
    { numRuns: 30 },
  )
})

const wrong = fc.oneof(
  fc.integer({ max: 0 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }).filter((value) => !Number.isInteger(value)),
  fc.integer({ min: 100_000_000 }),
  fc.constantFrom('1', '', null, true, [1], {}),
)

test('an amount that is none is refused, and nothing is sent', async () => {
  const customer = await makeCustomer(world)
  await fc.assert(
    fc.asyncProperty(wrong, async (unit_amount) => {
      const from = logLength(world)
      const body = order(customer, { lines: [{ description: 'x', unit_amount }] })
      for (const answer of [await world.ada.create(body, newKey()), await world.ada.preview(body)])
        expect(answer.json()).toMatchObject({ status: 400, code: 'invalid_request' })
      expect(sentSince(world, from)).toEqual([])
      expect(await invoicesOf(world, customer)).toEqual([])
    }),
    { numRuns: 100 },
  )
})
