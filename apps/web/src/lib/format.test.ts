import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  currencyDigits,
  fieldToMoney,
  formatBytes,
  formatCount,
  formatCountdown,
  formatCountShort,
  formatDuration,
  formatMoney,
  formatMoneyShort,
  formatPercent,
  moneyToField,
} from './format.ts'

test.each([
  [123450, 'usd', '$1,234.50'],
  [0, 'usd', '$0.00'],
  [-5000, 'usd', '-$50.00'],
  [1, 'usd', '$0.01'],
  [99, 'eur', '€0.99'],
  [488800, 'jpy', '¥488,800'],
  [5000, 'krw', '₩5,000'],
  [1234567, 'kwd', 'KWD 1,234.567'],
  // ISO 4217 gives it two decimals; the provider counts whole units.
  [5000, 'mga', 'MGA 5,000'],
  // Stripe keeps two decimals here, though the currency has none.
  [500000, 'isk', 'ISK 5,000.00'],
  [9007199254740991, 'usd', '$90,071,992,547,409.91'],
])('%i of %s is %s', (amount, currency, text) => {
  expect(formatMoney(amount, currency).replace(/\u00a0/g, ' ')).toBe(text)
})

test.each([
  [999999, 'usd', '$9,999.99'],
  [1234500, 'usd', '$12.3K'],
  [123456700, 'usd', '$1.2M'],
  [25000, 'jpy', '¥25.0K'],
])('%i of %s is %s where there is little room', (amount, currency, text) => {
  expect(formatMoneyShort(amount, currency)).toBe(text)
})

test.each([
  ['40', 'usd', 4000],
  ['40.5', 'usd', 4050],
  ['1,234.50', 'usd', 123450],
  ['0.1', 'usd', 10],
  ['500', 'jpy', 500],
  ['1.234', 'kwd', 1234],
  ['500.5', 'jpy', null],
  ['40.555', 'usd', null],
  ['-5', 'usd', null],
  ['', 'usd', null],
  ['4e3', 'usd', null],
  ['ten', 'usd', null],
])('the field %j in %s holds %s', (text, currency, amount) => {
  expect(fieldToMoney(text, currency)).toBe(amount)
})

test.each([
  [4000, 'usd', '40.00'],
  [500, 'jpy', '500'],
  [1234, 'kwd', '1.234'],
])('%i of %s stands in a field as %s', (amount, currency, text) => {
  expect(moneyToField(amount, currency)).toBe(text)
})

test.each([
  [999, '999'],
  [1000, '1K'],
  [1234, '1.2K'],
  [999_949, '999.9K'],
  [999_950, '1M'],
  [3_400_000, '3.4M'],
  [-1500, '-1.5K'],
])('the count %i is short as %s', (value, text) => {
  expect(formatCountShort(value)).toBe(text)
})

test.each([
  [0, '0 B'],
  [1023, '1,023 B'],
  [1024, '1 KB'],
  [1536, '1.5 KB'],
  [1024 ** 3, '1 GB'],
])('%i bytes are %s', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text)
})

test.each([
  [350, '350 ms'],
  [1000, '1,000 ms'],
  [1234, '1.2 s'],
])('%i milliseconds are %s', (ms, text) => {
  expect(formatDuration(ms)).toBe(text)
})

test('counts, percentages and countdowns', () => {
  expect(formatCount(1234)).toBe('1,234')
  expect(formatPercent(12.44)).toBe('12.4%')
  expect(formatCountdown(245)).toBe('4:05')
})

describe('held against the browser’s own formatters', () => {
  const ours = (text: string) => text.replaceAll('\u202f', ' ')

  test.each(Intl.supportedValuesOf('currency'))('%s', (currency) => {
    const digits = currencyDigits(currency)
    const theirs = new Intl.NumberFormat('en-US', {
      style: 'currency',
      currency,
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
    })
    for (const amount of [0, 1, -1, 99, 100, -12345, 123456789, -9007199254740991, 9007199254740991]) {
      const exact = theirs.format(moneyToField(amount, currency) as Intl.StringNumericLiteral)
      expect(ours(formatMoney(amount, currency))).toBe(ours(exact))
    }
  })

  test('any count and any percentage', () => {
    const integer = new Intl.NumberFormat('en-US')
    const decimal = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 })
    fc.assert(
      fc.property(fc.maxSafeInteger(), fc.integer({ min: -1e7, max: 1e7 }), (count, tenths) => {
        expect(formatCount(count)).toBe(integer.format(count))
        expect(formatPercent(tenths / 10)).toBe(`${decimal.format(tenths / 10)}%`)
      }),
    )
  })
})
