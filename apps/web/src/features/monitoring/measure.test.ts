import { expect, test } from 'vitest'
import { formatMeasure, formatUptime } from './measure.ts'

test.each([
  [82.25, '%', '82.3%'],
  [0.125, '%', '0.13%'],
  [3.24, 'ms', '3.2 ms'],
  [340, 'ms', '340 ms'],
  [1400, 'ms', '1.4 s'],
  [12_345, 'requests', '12,345 requests'],
  [0.5, 'requests', '0.5 requests'],
  [1, 'jobs', '1 job'],
  [7, '', '7'],
] as const)('%s %s is %s', (value, unit, text) => {
  expect(formatMeasure(value, unit)).toBe(text)
})

test.each([
  [100, '100%'],
  [99.9999, '99.99%'],
  [99.95, '99.95%'],
  [98.006, '98.01%'],
  [0, '0%'],
] as const)('an uptime of %s is %s', (percent, text) => {
  expect(formatUptime(percent)).toBe(text)
})
