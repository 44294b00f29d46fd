import { expect, test } from 'vitest'
import { readRefundAmount } from './refund-amount.ts'

const lots = 10_000_000

test.each([
  ['12.3', 'usd', 1230],
  ['12.30', 'usd', 1230],
  ['12.', 'usd', 1200],
  ['12', 'usd', 1200],
  [' 40.00 ', 'usd', 4000],
  ['1,234.50', 'usd', 123450],
  ['0.01', 'usd', 1],
  ['007.10', 'usd', 710],
  ['1.15', 'eur', 115],
  ['4.35', 'usd', 435],
  ['8.2', 'gbp', 820],
  ['1200', 'jpy', 1200],
  ['1,200', 'jpy', 1200],
  ['1.234', 'kwd', 1234],
  ['1.2', 'kwd', 1200],
])('reads %s %s as %i', (text, currency, amount) => {
  expect(readRefundAmount(text, currency, lots)).toEqual({ ok: true, amount })
})

test.each([
  ['', 'usd', 'Enter an amount'],
  ['   ', 'usd', 'Enter an amount'],
  ['0', 'usd', 'Enter an amount above zero'],
  ['0.00', 'usd', 'Enter an amount above zero'],
  ['-5', 'usd', 'Enter an amount above zero'],
  ['−5', 'usd', 'Enter an amount above zero'],
  ['12,30', 'usd', 'Enter a plain number, such as 12.30'],
  ['1,23,456', 'usd', 'Enter a plain number, such as 12.30'],
  ['1e3', 'usd', 'Enter a plain number, such as 12.30'],
  ['0x10', 'usd', 'Enter a plain number, such as 12.30'],
  ['NaN', 'usd', 'Enter a plain number, such as 12.30'],
  ['Infinity', 'usd', 'Enter a plain number, such as 12.30'],
  ['$40', 'usd', 'Enter a plain number, such as 12.30'],
  ['4 0', 'usd', 'Enter a plain number, such as 12.30'],
  ['1.2.3', 'usd', 'Enter a plain number, such as 12.30'],
  ['.5', 'usd', 'Enter a plain number, such as 12.30'],
  ['١٢', 'usd', 'Enter a plain number, such as 12.30'],
  ['12.345', 'usd', 'USD has at most 2 decimals'],
  ['12.5', 'jpy', 'JPY has no decimals'],
  ['abc', 'jpy', 'Enter a plain number, such as 12'],
  ['1.2345', 'kwd', 'KWD has at most 3 decimals'],
])('refuses %j %s: %s', (text, currency, message) => {
  expect(readRefundAmount(text, currency, lots)).toEqual({ ok: false, message })
})

test('refuses more than is left, to the cent', () => {
  expect(readRefundAmount('40.00', 'usd', 4000)).toEqual({ ok: true, amount: 4000 })
  expect(readRefundAmount('40.01', 'usd', 4000)).toEqual({
    ok: false,
    message: 'At most $40.00 can still be refunded',
  })
  expect(readRefundAmount('99999999999999999999', 'usd', 4000)).toMatchObject({ ok: false })
})
