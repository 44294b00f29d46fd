import { expect, test } from 'vitest'
import { toJson } from './json.ts'

test.each([
  ['a NUL', 'a\0b', 'a\ufffdb'],
  ['half a pair', 'a\ud83d', 'a\ufffd'],
  ['the other half', '\udc4db', '\ufffdb'],
  ['a whole pair', 'a👍b', 'a👍b'],
  ['what only looks like an escape', 'C:\\u0000', 'C:\\u0000'],
])('stores %s', (_name, given, stored) => {
  expect(JSON.parse(toJson({ deep: [{ text: given }] }))).toEqual({ deep: [{ text: stored }] })
})
