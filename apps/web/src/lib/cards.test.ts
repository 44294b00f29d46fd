import { expect, test } from 'vitest'
import { cardText, expiryState } from './cards.ts'

const now = Date.parse('2026-11-21T12:00:00Z')
const visa = { brand: 'visa', last4: '4242', exp_month: 12, exp_year: 2027 }

test.each([
  [10, 2026, 'expired'],
  [11, 2026, 'soon'],
  [12, 2026, 'soon'],
  [1, 2027, 'good'],
  [null, 2027, 'unknown'],
] as const)('a card of %s/%s is %s', (exp_month, exp_year, state) => {
  expect(expiryState({ exp_month, exp_year }, now)).toBe(state)
})

test('is good to the last moment of its month, and within 60 days of it marked', () => {
  const december = { exp_month: 12, exp_year: 2026 }
  expect(expiryState(december, Date.parse('2026-11-01T23:59:59Z'))).toBe('good')
  expect(expiryState(december, Date.parse('2026-11-02T00:00:00Z'))).toBe('soon')
  expect(expiryState(december, Date.parse('2026-12-31T23:59:59Z'))).toBe('soon')
  expect(expiryState(december, Date.parse('2027-01-01T00:00:00Z'))).toBe('expired')
})

test.each([
  [visa, 'Visa •••• 4242, expires 12/2027'],
  [{ ...visa, exp_year: 2025 }, 'Visa •••• 4242, expired 12/2025'],
  [{ ...visa, brand: 'newcard', exp_year: null }, 'newcard •••• 4242'],
  [{ brand: null, last4: null, exp_month: null, exp_year: null }, 'Card'],
])('reads %j as %s', (card, text) => {
  expect(cardText(card, now)).toBe(text)
})
