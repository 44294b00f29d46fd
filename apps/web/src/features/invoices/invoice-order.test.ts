import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { moneyToField } from '../../lib/format.ts'
import { emptyInvoice, type InvoiceFields, readAmount, readInvoice, sumOf } from './invoice-order.ts'

describe('an amount', () => {
  test.each([
    ['40', 'usd', 4000],
    ['1,250.5', 'usd', 125_050],
    ['0.01', 'usd', 1],
    ['1050', 'jpy', 1050],
    ['1.230', 'kwd', 1230],
    ['1.23', 'kwd', 1230],
    [' 12. ', 'eur', 1200],
  ])('%s %s is %s', (text, currency, value) => {
    expect(readAmount(text, currency)).toEqual({ value })
  })

  test.each([
    ['', 'usd', 'Enter an amount'],
    ['0', 'usd', 'Enter an amount above zero'],
    ['0.00', 'usd', 'Enter an amount above zero'],
    ['-1', 'usd', 'Enter an amount above zero'],
    ['0.005', 'usd', 'USD has at most 2 decimals'],
    ['10.50', 'jpy', 'JPY has no decimals'],
    ['1.231', 'kwd', 'Stripe takes KWD with two decimals only'],
    ['1.2345', 'kwd', 'KWD has at most 3 decimals'],
    ['12,30', 'usd', 'Enter a plain number, such as 12.30'],
    ['1e3', 'usd', 'Enter a plain number, such as 12.30'],
    ['abc', 'jpy', 'Enter a plain number, such as 12'],
    ['1,000,000', 'usd', 'At most $999,999.99'],
  ])('%s %s is refused: %s', (text, currency, problem) => {
    expect(readAmount(text, currency)).toEqual({ problem })
  })

  test('is read as it is shown, in every currency', () => {
    const amount = fc.integer({ min: 1, max: 99_999_999 })
    fc.assert(
      fc.property(amount, fc.constantFrom('usd', 'jpy', 'eur', 'clp'), (value, currency) => {
        expect(readAmount(moneyToField(value, currency), currency)).toEqual({ value })
      }),
    )
  })
})

const invoice = (part: Partial<InvoiceFields['lines'][number]>, more: Partial<InvoiceFields> = {}): InvoiceFields => ({
  ...emptyInvoice,
  lines: [{ description: 'Work', amount: '40', quantity: '2', ...part }],
  ...more,
})

describe('an invoice', () => {
  test('becomes an order in minor units', () => {
    expect(readInvoice(invoice({}, { memo: ' Thanks ' }), 'usd')).toEqual({
      order: {
        lines: [{ description: 'Work', unit_amount: 4000, quantity: 2 }],
        days_until_due: 30,
        memo: 'Thanks',
      },
    })
    expect(sumOf(invoice({}).lines, 'usd')).toBe(8000)
  })

  test.each([
    [invoice({ description: ' ' }), { 'lines.0.description': 'Enter a description' }],
    [invoice({ quantity: '0' }), { 'lines.0.quantity': 'At least 1' }],
    [invoice({ quantity: '1.5' }), { 'lines.0.quantity': 'Enter a whole number' }],
    [invoice({}, { days: '' }), { days: 'Enter a whole number' }],
    [invoice({}, { days: '366' }), { days: 'At most 365' }],
    [invoice({ amount: '999,999', quantity: '2' }), { lines: 'An invoice may add up to at most $999,999.99' }],
    [
      invoice({ amount: '999,999', quantity: '2', description: '' }),
      { lines: 'An invoice may add up to at most $999,999.99', 'lines.0.description': 'Enter a description' },
    ],
  ])('is refused where it is wrong', (fields, problems) => {
    expect(readInvoice(fields, 'usd')).toEqual({ problems })
  })
})
