import { expect, test } from 'vitest'
import { scoreOf } from './score.ts'

test.each([
  [[], 100],
  [['ok', 'ok', 'unknown'], 100],
  [['advice', 'ok'], 97],
  [['warning', 'advice', 'error'], 62],
  [['error', 'error', 'error', 'error', 'warning'], 0],
] as const)('%j scores %d', (states, expected) => {
  expect(scoreOf(states.map((state) => ({ state })))).toBe(expected)
})
