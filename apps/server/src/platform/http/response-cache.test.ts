import { beforeEach, expect, test, vi } from 'vitest'
import { createCaches } from '../caches.ts'
import { createResponseCache, packedForm } from './response-cache.ts'

beforeEach(() => {
  vi.useFakeTimers()
  return () => vi.useRealTimers()
})

const text = 'x'.repeat(50_000)

async function fill(keys: number) {
  const caches = createCaches()
  const cache = createResponseCache(caches, () => Date.now())
  for (let key = 0; key < keys; key++) await cache.load(`list?page=${key}`, 1, async () => text)
  const size = () => caches.all[0]!.size()
  return { size, cache }
}

test('however many lists are asked for, it holds no more than its share', async () => {
  const { size } = await fill(1000)
  expect(size().keys).toBeGreaterThan(100)
  expect(size().bytes).toBeLessThanOrEqual(24 * 1024 * 1024)
})

test('answers that nobody asks for again are let go', async () => {
  const { size, cache } = await fill(20)
  await vi.advanceTimersByTimeAsync(50_000)
  await cache.load('a newer one', 1, async () => text)
  expect(size().keys).toBe(21)
  await vi.advanceTimersByTimeAsync(15_000)
  expect(size().keys).toBe(1)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(size()).toEqual({ keys: 0, bytes: 0 })
})

test('the packed form of an answer takes no more room than its bytes', async () => {
  vi.useRealTimers()
  const { cache } = await fill(0)
  const answer = await cache.load('list', 1, async () => text)
  await expect.poll(() => packedForm(answer)).toBeDefined()
  const packed = packedForm(answer)!
  expect(packed.buffer.byteLength).toBe(packed.length)
})
