import { expect, test } from 'vitest'
import { isOutdated, refusedAt } from './refusal.ts'

const values = { version: 1, email: '', country: '', company: '', metadata: [], owner: null }

test.each([
  ['email', 'Stripe refused this: no', { name: 'email', message: 'Stripe refused this: no' }],
  ['body.email', 'Already taken', { name: 'email', message: 'Already taken' }],
  ['address.country', 'address.country: bad', { name: 'country', message: 'bad' }],
  ['address[country]', 'bad', { name: 'country', message: 'bad' }],
  ['metadata[company]', 'too long', { name: 'company', message: 'too long' }],
  ['metadata[x]', 'bad', { name: 'metadata', message: 'bad' }],
  ['customer_id', 'gone', { name: 'owner', message: 'gone' }],
  ['version', 'old', undefined],
  ['else', 'bad', undefined],
  ['constructor', 'bad', undefined],
])('a refusal of %s is told at its field', (parameter, message, expected) => {
  expect(refusedAt({ message, parameter }, values, { customer_id: 'owner' })).toEqual(expected)
})

test('a refusal that names nothing, or none, belongs to no field', () => {
  expect(refusedAt({ message: 'no' }, values)).toBeUndefined()
  expect(refusedAt(null, values)).toBeUndefined()
})

test.each([
  ['conflict', 'version', true],
  ['conflict', 'email', false],
  ['invalid_request', 'version', false],
])('%s of %s is a conflict of versions: %s', (code, parameter, expected) => {
  expect(isOutdated({ message: '', code, parameter })).toBe(expected)
})
