import { expect, test } from 'vitest'
import { productionUrlOf, siteNameOf, statusOf } from './purchase.ts'

test.each([
  ['open', 'unpaid', null, 'pending'],
  ['open', 'unpaid', 'failed', 'pending'],
  ['expired', 'unpaid', null, 'failed'],
  ['expired', 'unpaid', 'failed', 'failed'],
  ['complete', 'paid', 'succeeded', 'completed'],
  ['complete', 'paid', null, 'completed'],
  ['complete', 'no_payment_required', null, 'completed'],
  ['complete', 'unpaid', 'processing', 'pending'],
  ['complete', 'unpaid', 'pending', 'pending'],
  ['complete', 'unpaid', null, 'pending'],
  ['complete', 'unpaid', 'failed', 'failed'],
  ['complete', 'unpaid', 'succeeded', 'completed'],
  ['complete', 'paid', 'refunded', 'refunded'],
  [null, 'paid', 'succeeded', 'completed'],
  [null, 'unknown', null, 'pending'],
] as const)(
  'a checkout %s and %s with a payment %s is %s',
  (checkout_status, payment_status, payment_state, status) => {
    expect(statusOf({ checkout_status, payment_status, payment_state })).toBe(status)
  },
)

test.each([
  [{ site_name: 'Harbour Bakery', business_name: 'Other' }, null, null, 'Harbour Bakery'],
  [{ site_name: '  ', businessName: ' Pine\n Law ' }, null, null, 'Pine Law'],
  [{}, 'Website: Cove', 'Starter', 'Website: Cove'],
  [{}, null, 'Starter', 'Starter'],
  [{}, '', null, 'Unnamed site'],
])('names the site of %j, paid as %j for %j: %s', (metadata, payment_description, product_name, name) => {
  expect(siteNameOf({ metadata, payment_description, product_name })).toBe(name)
})

test.each([
  ['https://harbour.example', 'https://harbour.example/'],
  ['HTTP://harbour.example/a?b=c', 'http://harbour.example/a?b=c'],
  ['https://münchen.example', 'https://xn--mnchen-3ya.example/'],
  ['javascript:alert(1)', null],
  ['java\nscript:alert(1)', null],
  ['data:text/html,x', null],
  ['//evil.example', null],
  ['harbour.example', null],
  ['https://bank.example@evil.example', null],
  ['https://', null],
  ['', null],
])('passes %j on as %j', (address, shown) => {
  expect(productionUrlOf({ production_url: address })).toBe(shown)
})

test('knows no address where none was given', () => {
  expect(productionUrlOf({})).toBeNull()
  expect(productionUrlOf({ productionUrl: 'https://a.example/' })).toBe('https://a.example/')
})
