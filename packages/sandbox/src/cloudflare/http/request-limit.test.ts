import { expect, test } from 'vitest'
import { requestLimiter } from './request-limit.ts'

const minute = 60_000

test('counts down, blocks everything for five minutes, then begins anew', () => {
  let now = 0
  const spend = requestLimiter(() => now)
  const next = () => spend(3, 5 * minute)
  expect([next(), next(), next()].map(({ remaining }) => remaining)).toEqual([2, 1, 0])
  expect(next()).toEqual({ blockedSeconds: 300, remaining: 0, resetSeconds: 300 })
  now = 4 * minute
  expect(next().blockedSeconds).toBe(60)
  now = 5 * minute
  expect(next()).toEqual({ blockedSeconds: 0, remaining: 2, resetSeconds: 300 })
})

test('what was not used up does not block', () => {
  let now = 0
  const spend = requestLimiter(() => now)
  for (let count = 0; count < 30; count++) {
    expect(spend(3, 5 * minute).blockedSeconds).toBe(0)
    now += 2 * minute
  }
})

test('0 switches the limit off, and forgives', () => {
  const spend = requestLimiter(() => 0)
  for (let count = 0; count < 5; count++) spend(2, 5 * minute)
  expect(spend(0, 5 * minute).blockedSeconds).toBe(0)
})
