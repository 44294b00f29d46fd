import { expect, test } from 'vitest'
import { createMetrics } from './metrics.ts'

const second = 1000

test('nothing measured is nothing known', () => {
  expect(createMetrics(() => 0).requests.figures()).toEqual({ requests: 0, errors: 0, meanMs: null, p95Ms: null })
})

test('mean, errors and the 95th percentile, at most 6 % too high', () => {
  const { requests } = createMetrics(() => 1_000_000)
  for (let ms = 1; ms <= 100; ms++) requests.record(ms, ms > 98 ? 500 : 200)
  requests.record(0.01, 404)
  const figures = requests.figures()
  expect(figures).toMatchObject({ requests: 101, errors: 2 })
  expect(figures.meanMs).toBeCloseTo(50, 0)
  expect(figures.p95Ms).toBeGreaterThanOrEqual(95)
  expect(figures.p95Ms).toBeLessThan(96 * 1.06)
})

test('forgets what is older than five minutes, also when nothing came in between', () => {
  let now = 10 * second
  const { requests } = createMetrics(() => now)
  requests.record(10, 200)
  now += 290 * second
  expect(requests.figures().requests).toBe(1)
  requests.record(20, 200)
  now += 10 * second
  expect(requests.figures()).toMatchObject({ requests: 1, meanMs: 20 })
  now += 3600 * second
  expect(requests.figures().requests).toBe(0)
})

test('a request that takes very long is counted in the last bucket', () => {
  const { requests } = createMetrics(() => 0)
  requests.record(10_000_000, 200)
  expect(requests.figures().p95Ms).toBeGreaterThan(30_000)
})
