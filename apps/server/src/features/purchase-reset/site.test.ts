import { expect, test } from 'vitest'
import { domainsOf } from './site.ts'

test.each([
  [null, []],
  ['cove.example', ['cove.example']],
  [' cove.example , ,pine.example', ['cove.example', 'pine.example']],
  ['["cove.example", 7, " pine.example "]', ['cove.example', 'pine.example']],
  ['[cove.example', ['[cove.example']],
  ['["a"}', ['["a"}']],
])('reads the domains of %j', (text, domains) => {
  expect(domainsOf(text)).toEqual(domains)
})
