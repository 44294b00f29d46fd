import { expect, test } from 'vitest'
import { createMask } from './mask.ts'

const mask = createMask(['hunter2-and-more', 'line one\nline two is secret', 'yes', 'production'])

test.each([
  ['KEY=hunter2-and-more!', 'KEY=[masked]!'],
  ['got line two is secret here', 'got [masked] here'],
  ['yes, in production', 'yes, in production'],
  ['using ghp_abcdefghijklmnopqrstuvwxyz0123', 'using [masked]'],
  ['stripe sk_live_51Habcdefghijklmnop', 'stripe [masked]'],
  ['Authorization: Bearer abcdef0123456789xyz', 'Authorization: Bearer [masked]'],
  ['clone https://user:tops3cret@git.example/x', 'clone https://user:[masked]@git.example/x'],
  ['password: "correct horse"', 'password: "[masked] horse"'],
  ['API_KEY=0123456789', 'API_KEY=[masked]'],
  ['\u001b[32m✓\u001b[0m built in 3s', '\u001b[32m✓\u001b[0m built in 3s'],
  ['nul\0 and \ud800 alone', 'nul\ufffd and \ufffd alone'],
])('%j is kept as %j', (text, kept) => {
  expect(mask(text)).toBe(kept)
})

test('a line without an end is cut', () => {
  expect(mask('x '.repeat(10_000)).length).toBeLessThan(8100)
})
