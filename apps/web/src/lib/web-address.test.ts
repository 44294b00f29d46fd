import { expect, test } from 'vitest'
import { webAddress } from './web-address.ts'

test.each([
  ['https://harbour.example', 'https://harbour.example/'],
  ['http://harbour.localhost:8080/a', 'http://harbour.localhost:8080/a'],
])('%s may be visited', (address, href) => {
  expect(webAddress(address)?.href).toBe(href)
})

test.each(['javascript:alert(1)', 'data:text/html,x', 'harbour.example', 'https://admin@harbour.example', '', null])(
  '%s is no address to visit',
  (address) => {
    expect(webAddress(address)).toBeNull()
  },
)
