import { expect, test } from 'vitest'
import { dueNow, factsOf, type Line, lineText, nameText, type Terms, termsText } from './words.ts'

const line = (change: Partial<Line> = {}): Line => ({
  ...{ quantity: 1, unit: 2900, amount: 2900, interval: 'month', interval_count: 1, is_metered: false },
  adjustable: null,
  ...change,
})
const once = (amount: number | null = 89_000) => line({ unit: amount, amount, interval: null, interval_count: null })
const metered = line({ unit: null, amount: 0, quantity: null, is_metered: true })
const terms = (lines: Line[], change: Partial<Terms> = {}): Terms => ({
  ...{ currency: 'usd', trial_days: null, allow_promotion_codes: false, lines },
  ...change,
})

test.each<[string, Line]>([
  ['$29.00 per month', line()],
  ['$58.00 per month (2 × $29.00)', line({ quantity: 2, amount: 5800 })],
  ['$54.00 for 6 per month', line({ quantity: 6, unit: null, amount: 5400 })],
  ['$405.00 every 3 months', line({ unit: 40_500, amount: 40_500, interval_count: 3 })],
  ['$290.00 per year', line({ unit: 29_000, amount: 29_000, interval: 'year' })],
  ['$890.00 once', once()],
  ['An amount of the customer’s choice, once', once(null)],
  ['By usage, billed per month', metered],
])('a line reads %s', (text, each) => {
  expect(lineText(each, 'usd')).toBe(text)
})

test.each<[string, Terms, number | null]>([
  ['$29.00 per month', terms([line()]), 2900],
  ['14 days free, then $29.00 per month', terms([line()], { trial_days: 14 }), 0],
  ['1 day free, then $29.00 per month', terms([line()], { trial_days: 1 }), 0],
  ['$890.00 once', terms([once()]), 89_000],
  ['$890.00 once, then $29.00 per month', terms([once(), line()]), 91_900],
  ['$890.00 once, 7 days free, then $29.00 per month', terms([once(), line()], { trial_days: 7 }), 89_000],
  ['$41.00 per month', terms([line(), line({ unit: 1200, amount: 1200 })]), 4100],
  ['$29.00 per month plus usage', terms([line(), metered]), 2900],
  ['By usage, billed per month', terms([metered]), 0],
  ['An amount of the customer’s choice, once', terms([once(null)]), null],
  ['¥1,800 per month', terms([line({ unit: 1800, amount: 1800 })], { currency: 'jpy' }), 1800],
])('what is paid reads %s', (text, each, due) => {
  expect(termsText(each)).toBe(text)
  expect(dueNow(each)).toBe(due)
})

test.each<[string, Terms]>([
  ['The customer pays $29.00 now, then $29.00 per month until cancelled.', terms([line()])],
  [
    'The customer pays nothing for 14 days, then $29.00 per month until cancelled.',
    terms([line()], { trial_days: 14 }),
  ],
  ['The customer pays $890.00 once.', terms([once()])],
  ['The customer pays $919.00 now, then $29.00 per month until cancelled.', terms([once(), line()])],
  [
    'The customer pays $890.00 now, nothing else for 7 days, then $29.00 per month until cancelled.',
    terms([once(), line()], { trial_days: 7 }),
  ],
  ['The customer pays an amount of the customer’s choice once.', terms([once(null)])],
  ['The customer pays by usage.', terms([metered])],
])('whoever opens it reads: %s', (text, each) => {
  expect(factsOf(each)[0]).toBe(text)
})

test('what else can be done, and is added, is said', () => {
  const free = { minimum: 0, maximum: 99 }
  expect(
    factsOf(terms([line({ adjustable: free })], { trial_days: 3, allow_promotion_codes: true }), {
      ...{ asksForCard: true, addsTax: true, addsShipping: true },
    }).slice(1),
  ).toEqual([
    'The customer enters a card first, although the trial is free.',
    'The customer can change the quantity before paying, from 1 to 99.',
    'The customer can enter a promotion code.',
    'Tax is added where it is due.',
    'Shipping is added.',
  ])
  expect(factsOf(terms([line({ adjustable: free }), once()]))).toContain(
    'The customer can change quantities before paying.',
  )
  expect(factsOf(terms([line()]), { asksForCard: true })).toHaveLength(1)
})

test.each([
  [[], 'Nothing'],
  [['Starter Care'], 'Starter Care'],
  [['Starter Care', 'Mailboxes', 'Build'], 'Starter Care and 2 more'],
])('%j is called %s', (names, text) => {
  expect(nameText(names)).toBe(text)
})
