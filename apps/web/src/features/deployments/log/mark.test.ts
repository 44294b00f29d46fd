import { expect, test } from 'vitest'
import { markFound } from './mark.ts'

const cut = (spans: string[], wanted: string) =>
  markFound(
    spans.map((text) => ({ text })),
    wanted,
  ).map(({ text, isFound }) => (isFound ? `[${text}]` : text))

test.each([
  [['an error here'], 'ERROR', ['an ', '[error]', ' here']],
  [['aaaa'], 'aa', ['[aa]', '[aa]']],
  [['over', 'lap ends'], 'rl', ['ove', '[r]', '[l]', 'ap ends']],
  [['a', 'b', 'c', 'd'], 'bc', ['a', '[b]', '[c]', 'd']],
  [['x error y error'], 'error', ['x ', '[error]', ' y ', '[error]']],
  [['nothing'], 'error', ['nothing']],
  [['all'], '', ['all']],
  [['1.5 (a|b)*'], '(a|b)*', ['1.5 ', '[(a|b)*]']],
])('%j, %s', (spans, wanted, pieces) => {
  expect(cut(spans, wanted)).toEqual(pieces)
})
