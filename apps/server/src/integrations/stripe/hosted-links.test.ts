import { expect, test } from 'vitest'
import { withHostedLinks } from './hosted-links.ts'

const invoice = (address: string | null) => ({ id: 'in_1', hosted_invoice_url: address, invoice_pdf: address })
const local = { localOrigin: 'http://127.0.0.1:4242' }

test.each([
  ['https://pay.stripe.com/invoice/in_1/pdf?s=ap', null, 'https://pay.stripe.com/invoice/in_1/pdf?s=ap'],
  ['https://pay.stripe.com/invoice/in_1/pdf?s=ap', local, 'http://127.0.0.1:4242/invoice/in_1/pdf?s=ap'],
  ['javascript:alert(1)', { localOrigin: null }, 'javascript:alert(1)'],
  ['no address', local, null],
  [null, local, null],
])('%s of the provider at %o is %s', (address, stripe, link) => {
  expect(withHostedLinks(stripe, invoice(address))).toEqual(invoice(link))
})
