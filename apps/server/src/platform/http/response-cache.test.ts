import { beforeEach, expect, test, vi } from 'vitest'
import { createMetrics } from '../metrics.ts'
import { createResponseCache, packedForm } from './response-cache.ts'

beforeEach(() => {
  vi.useFakeTimers()
  return () => vi.useRealTimers()
})

const text = 'x'.repeat(50_000)

async function fill(keys: number) {
  const counts = createMetrics(Date.now).answers
  const cache = createResponseCache(counts, () => Date.now())
  for (let key = 0; key < keys; key++) await cache.load(`list?page=${key}`, 1, async () => text)
  return { counts, cache }
}

test('however many lists are asked for, it holds no more than its share', async () => {
  const { counts } = await fill(1000)
  expect(counts.entries).toBeGreaterThan(100)
  expect(counts.bytes).toBeLessThanOrEqual(24 * 1024 * 1024)
})

test('answers that nobody asks for again are let go', async () => {
  const { counts, cache } = await fill(20)
  await vi.advanceTimersByTimeAsync(50_000)
  await cache.load('a newer one', 1, async () => text)
  expect(counts.entries).toBe(21)
  await vi.advanceTimersByTimeAsync(15_000)
  expect(counts.entries).toBe(1)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(counts).toMatchObject({ entries: 0, bytes: 0 })
})

test('the packed form of an answer takes no more room than its bytes', async () => {
  vi.useRealTimers()
  const { cache } = await fill(0)
  const answer = await cache.load('list', 1, async () => text)
  await expect.poll(() => packedForm(answer)).toBeDefined()
  const packed = packedForm(answer)!
  expect(packed.buffer.byteLength).toBe(packed.length)
})
