import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { refreshByTopic } from './refresh-by-topic.ts'

let client: QueryClient
let refresh: ReturnType<typeof refreshByTopic>
let hidden = false

const stale = () =>
  client
    .getQueryCache()
    .getAll()
    .filter((query) => query.state.isInvalidated)
    .map((query) => query.queryKey[0])

beforeEach(() => {
  vi.useFakeTimers()
  vi.spyOn(document, 'hidden', 'get').mockImplementation(() => hidden)
  client = new QueryClient()
  for (const [name, topics] of [
    ['payments', ['payments', 'customers']],
    ['plans', ['plans']],
    ['none', []],
  ] as const) {
    client
      .getQueryCache()
      .build(client, { queryKey: [name], meta: { topics } })
      .setData(1)
  }
  refresh = refreshByTopic(client)
})

afterEach(() => {
  refresh.stop()
  hidden = false
  vi.useRealTimers()
  vi.restoreAllMocks()
})

test('makes the answers stale that name the topic', () => {
  refresh.topics(['customers'])
  vi.advanceTimersByTime(0)
  expect(stale()).toEqual(['payments'])
})

test('gathers a storm of changes', () => {
  const invalidate = vi.spyOn(client, 'invalidateQueries')
  for (let ms = 0; ms < 3000; ms += 50) {
    refresh.topics(['payments'])
    vi.advanceTimersByTime(50)
  }
  expect(invalidate.mock.calls.length).toBeLessThanOrEqual(3)
  expect(invalidate.mock.calls.length).toBeGreaterThanOrEqual(2)
})

test('a hidden tab waits until it is seen', () => {
  hidden = true
  refresh.topics(['plans'])
  vi.advanceTimersByTime(60_000)
  expect(stale()).toEqual([])
  hidden = false
  document.dispatchEvent(new Event('visibilitychange'))
  expect(stale()).toEqual(['plans'])
})

test('after a break everything is read again', () => {
  refresh.all()
  vi.advanceTimersByTime(0)
  expect(stale()).toEqual(['payments', 'plans', 'none'])
})
