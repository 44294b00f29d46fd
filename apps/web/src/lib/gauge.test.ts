import { expect, test } from 'vitest'
import { gaugeTone } from './gauge.ts'

test.each([
  ['cpu', 80, 'neutral'],
  ['cpu', 80.1, 'error'],
  ['memory', 80, 'neutral'],
  ['memory', 80.1, 'warning'],
  ['storage', 100, 'warning'],
  ['storage', null, 'neutral'],
] as const)('%s at %s percent is %s', (of, percent, tone) => {
  expect(gaugeTone(of, percent)).toBe(tone)
})
