import { expect, test } from 'vitest'
import { commonHeaders, pageHeaders } from '../../../platform/http/security-headers.ts'
import { headerFaults } from './headers.ts'

const good = commonHeaders({ publicUrl: 'https://console.example.com' })
const faults = (change: Record<string, string | null>, isSecure = true) => {
  const all = Object.entries({ ...good, ...change }).filter(([, value]) => value !== null) as [string, string][]
  return headerFaults(new Headers(all), isSecure)
}

test('finds no fault with what the console sends', () => {
  expect(faults({})).toEqual([])
  expect(faults(pageHeaders('nonce', ['sha256-x']))).toEqual([])
  expect(headerFaults(new Headers(commonHeaders({ publicUrl: undefined })), false)).toEqual([])
})

test.each([
  ['content-security-policy', null, ['no content security policy', 'may be shown in a frame']],
  [
    'content-security-policy',
    "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
    ['a content security policy that allows unsafe code'],
  ],
  ['x-content-type-options', null, ['no nosniff']],
  ['referrer-policy', null, ['no referrer policy']],
  ['strict-transport-security', null, ['no strict transport security']],
])('finds the fault when %s is %s', (name, value, expected) => {
  expect(faults({ [name]: value })).toEqual(expected)
})
