import { expect, test } from 'vitest'
import { providerLink, stripePage } from './provider-link.ts'

test.each([
  ['https://invoice.stripe.com/i/acct_1/test_1', 'https://invoice.stripe.com/i/acct_1/test_1'],
  ['https://pay.stripe.com/invoice/in_1/pdf', 'https://pay.stripe.com/invoice/in_1/pdf'],
  ['http://invoice.stripe.com/i/1', undefined],
  ['javascript:alert(1)', undefined],
  ['data:text/html,<b>x</b>', undefined],
  ['https://invoice.stripe.com.evil.example/i/1', undefined],
  ['https://evilstripe.com/i/1', undefined],
  ['https://invoice.stripe.com@evil.example/i/1', undefined],
  ['https://user@invoice.stripe.com/i/1', undefined],
  ['//invoice.stripe.com/i/1', undefined],
  ['', undefined],
  [null, undefined],
])('lets %s through as %s', (address, link) => {
  expect(providerLink(address)).toBe(link)
})

test.each([
  ['http://127.0.0.1:4242/i/in_1', 'demo', 'http://127.0.0.1:4242/i/in_1'],
  ['http://127.0.0.1:4242/i/in_1', 'test', undefined],
  ['http://127.0.0.1:4242/i/in_1', 'live', undefined],
  ['http://127.0.0.1.evil.example/i/in_1', 'demo', undefined],
  ['http://user@127.0.0.1/i/in_1', 'demo', undefined],
  ['http://192.168.0.1/i/in_1', 'demo', undefined],
  ['javascript:alert(1)//127.0.0.1', 'demo', undefined],
] as const)('lets %s through in %s mode as %s', (address, mode, link) => {
  expect(providerLink(address, mode)).toBe(link)
})

const state = {
  actor: { type: 'admin_key' as const, id: 'k', name: 'Admin key', role: 'super_admin', permissions: [] },
  stage: 'open' as const,
  user: null,
  version: '1.0.0',
  session: null,
  time_zone: null,
}
const account = { id: 'acct_1', name: null, default_currency: 'usd' }

test("leads to the provider's own page where there is an account", () => {
  expect(stripePage({ ...state, mode: 'live', stripe_account: account }, 'customers', 'cus_1')).toBe(
    'https://dashboard.stripe.com/customers/cus_1',
  )
  expect(stripePage({ ...state, mode: 'test', stripe_account: account }, 'payments', 'pi_1')).toBe(
    'https://dashboard.stripe.com/test/payments/pi_1',
  )
  expect(stripePage({ ...state, mode: 'demo', stripe_account: null }, 'payments', 'pi_1')).toBeUndefined()
})
