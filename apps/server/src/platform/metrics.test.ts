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

test('a minute is what was asked within it', () => {
  let now = 600 * second
  const { requests } = createMetrics(() => now)
  for (let ms = 1; ms <= 100; ms++) {
    requests.record(ms, ms > 95 ? 503 : 200)
    now += 0.5 * second
  }
  now = 660 * second
  requests.record(5000, 200)
  const minute = requests.minute(600 * second)
  expect(minute).toMatchObject({ requests: 100, errors: 5 })
  for (const [found, share] of [
    [minute.p50Ms, 50],
    [minute.p95Ms, 95],
    [minute.p99Ms, 99],
  ] as const) {
    expect(found).toBeGreaterThanOrEqual(share)
    expect(found).toBeLessThan(share * 1.07)
  }
  expect(requests.minute(540 * second)).toEqual({ requests: 0, errors: 0, p50Ms: null, p95Ms: null, p99Ms: null })
})

test('each route is counted by itself, the busiest first', () => {
  const { endpoints } = createMetrics(() => 42)
  endpoints.record('GET', '/sites', 10, 200)
  for (let ms = 1; ms <= 100; ms++) endpoints.record('GET', '/sites/:id', ms, ms > 98 ? 500 : 404)
  endpoints.record('POST', '/sites', 10, 500)
  const figures = endpoints.figures()
  expect(endpoints.since).toBe(42)
  expect(figures.map(({ method, path, requests, errors }) => [method, path, requests, errors])).toEqual([
    ['GET', '/sites/:id', 100, 2],
    ['GET', '/sites', 1, 0],
    ['POST', '/sites', 1, 1],
  ])
  expect(figures[0]?.p95_ms).toBeGreaterThanOrEqual(95)
  expect(figures[0]?.p99_ms).toBeLessThan(99 * 1.07)
})
