import { expect, test } from 'vitest'
import { deploymentUrl } from './deployment-url.ts'
import { hostName, subdomainName } from './host-name.ts'

test.each([
  ['Example.COM', 'example.com'],
  [' example.com. ', 'example.com'],
  ['bücher.example', 'xn--bcher-kva.example'],
  ['さくら.example', 'xn--y8jl1n.example'],
  ['a-b.c1.example', 'a-b.c1.example'],
])('%s is the host name %s', (typed, name) => expect(hostName(typed)).toBe(name))

test.each([
  ...['', 'localhost', 'example', '127.0.0.1', '127.1', '0x7f.1', '[::1]', 'a..example', '-a.example', 'a-.example'],
  ...['a_b.example', 'https://a.example', 'a.example/x', 'a.example:80', 'u@a.example', 'a.example?x', 'a b.example'],
  ...[
    `${'a'.repeat(64)}.example`,
    `${'a.'.repeat(130)}example`,
    'a.example\u0000',
    'a\\b.example',
    '１２７.1',
    'a%2e.example',
  ],
])('%j is no host name', (typed) => expect(hostName(typed)).toBeNull())

test('a subdomain is what stands before a domain', () => {
  expect(subdomainName('Shop')).toBe('shop')
  expect(subdomainName('a.b')).toBe('a.b')
  for (const typed of ['', 'a/b', 'a:1', '<b>', '.']) expect(subdomainName(typed)).toBeNull()
})

test.each([
  ['https://a.example', 'https://a.example'],
  ['HTTP://A.example/', 'http://a.example'],
  ['http://a.localhost:8080', 'http://a.localhost:8080'],
  ['https://a.example/x?y#z', 'https://a.example/x?y#z'],
])('%s is the address %s', (typed, url) => expect(deploymentUrl(typed)).toBe(url))

test.each([
  ...[
    'javascript:alert(1)',
    'data:text/html,x',
    'JaVaScRiPt:alert(1)',
    ' https://a.example',
    'ftp://a.example',
    '//a.example',
  ],
  ...[
    'https:a.example',
    'https://u:p@a.example',
    'https://u@a.example',
    'https://',
    'a.example',
    'https://a b.example',
  ],
])('%j is no address to send anybody to', (typed) => expect(deploymentUrl(typed)).toBeNull())
