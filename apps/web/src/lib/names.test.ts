import { expect, test } from 'vitest'
import { customerNameOf, nameOf } from './names.ts'

test.each([
  [{ id: 'cus_1', name: 'Ada Lovelace', email: 'ada@example.com' }, 'Ada Lovelace'],
  [{ id: 'cus_1', name: null, email: 'ada@example.com' }, 'ada@example.com'],
  [{ id: 'cus_1', name: '  ', email: '' }, 'cus_1'],
  [{ id: null, name: null, email: null }, 'No customer'],
])('calls %o %s', (named, expected) => {
  expect(nameOf(named)).toBe(expected)
})

test('reads the customer of a payment or subscription', () => {
  expect(customerNameOf({ customer_id: 'cus_1', customer_name: null, customer_email: 'a@b.example' })).toBe(
    'a@b.example',
  )
})
