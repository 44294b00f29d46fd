import { expect, test } from 'vitest'
import { globMatcher } from './glob.ts'

test.each([
  ['*', '', true],
  ['*', 'anything', true],
  ['', '', true],
  ['', 'a', false],
  ['/api/stripe/*', '/api/stripe/payments?limit=25', true],
  ['/api/stripe/*', '/api/domains', false],
  ['*payments*', '/api/stripe/payments?limit=25', true],
  ['*.example', 'shop.example', true],
  ['*.example', 'shop.example.com', false],
  ['user ?da*', 'user Ada Lovelace', true],
  ['user ?da', 'user da', false],
  ['a*b*c', 'a-b-b-c', true],
  ['a*b*c', 'a-c-b', false],
  ['a.c', 'abc', false],
  ['(a+)+$', '(a+)+$', true],
])('the pattern %s and the text %s: %s', (pattern, text, fits) => {
  expect(globMatcher(pattern)(text)).toBe(fits)
})

test('no pattern takes long', () => {
  const began = performance.now()
  expect(globMatcher(`${'*a'.repeat(60)}b`)('a'.repeat(2000))).toBe(false)
  expect(performance.now() - began).toBeLessThan(500)
})
