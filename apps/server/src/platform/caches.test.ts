import { expect, test } from 'vitest'
import { createCaches, createMemoryCache } from './caches.ts'

const filled = (keys: number, max = keys) => {
  const caches = createCaches()
  const { lru, counts } = createMemoryCache<{ n: number }>(caches, { name: 'things', max, labelOf: (key) => `/${key}` })
  for (let n = 0; n < keys; n++) lru.set(`thing ${n}`, { n })
  return { caches, lru, counts, cache: caches.all[0]! }
}

test('tells what it let go for want of room, and when', () => {
  const { counts, cache } = filled(10, 4)
  expect(counts).toMatchObject({ evictions: 6, hits: 0, misses: 0 })
  expect(Date.now() - (counts.lastEvictionMs ?? 0)).toBeLessThan(60_000)
  expect(cache.size().keys).toBe(4)
})

test('finds and clears by what people call the keys, and a clear is no eviction', async () => {
  const { cache, counts, lru } = filled(30)
  const matches = (label: string) => label.startsWith('/thing 1')
  expect(await cache.find(matches, 3)).toMatchObject({ keys: 11, samples: expect.objectContaining({ length: 3 }) })
  expect(await cache.clear(matches)).toBe(11)
  expect([lru.size, counts.evictions]).toEqual([19, 0])
})

test('others have their turn while many keys are gone through', async () => {
  const { cache } = filled(40_000)
  let turns = 0
  let isOver = false
  const count = () => {
    if (isOver) return
    turns++
    setImmediate(count)
  }
  setImmediate(count)
  // As slow as a pattern that fits nothing.
  let sink = 0
  const slow = (label: string) => {
    for (let n = 0; n < 200; n++) sink += label.charCodeAt(n % label.length)
    return sink < 0
  }
  expect(await cache.find(slow, 20)).toEqual({ keys: 0, samples: [] })
  isOver = true
  expect(turns).toBeGreaterThan(3)
})

test('what came in meanwhile is not cleared, and what went is not counted', async () => {
  const { cache, lru } = filled(3)
  const clearing = cache.clear((label) => {
    lru.set('late', { n: 9 })
    if (label === '/thing 2') lru.delete('thing 0')
    return true
  })
  expect(await clearing).toBeLessThanOrEqual(3)
  expect(lru.has('late')).toBe(true)
})
