import { InfiniteQueryObserver, QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
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

/** A list that grows by pages; each page says when it was read, and waits until it is let go. */
async function growing() {
  let version = 1
  const held: (() => void)[] = []
  const observer = new InfiniteQueryObserver(client, {
    queryKey: ['timeline'],
    queryFn: async ({ pageParam }) => {
      const read = `${pageParam} of ${version}`
      await new Promise<void>((go) => held.push(go))
      return read
    },
    initialPageParam: 1,
    getNextPageParam: (_, pages) => pages.length + 1,
    meta: { topics: ['payments'] },
  })
  onTestFinished(observer.subscribe(() => {}))
  const letGo = async () => {
    for (const go of held.splice(0)) go()
    await vi.advanceTimersByTimeAsync(1)
  }
  await vi.advanceTimersByTimeAsync(1)
  return {
    ...{ observer, letGo, pages: () => observer.getCurrentResult().data?.pages },
    change: async () => {
      version++
      refresh.topics(['payments'])
      await vi.advanceTimersByTimeAsync(1500)
    },
    all: async () => {
      while (held.length > 0) await letGo()
    },
  }
}

test('a first answer that began before the change is read again', async () => {
  const { change, letGo, all, pages } = await growing()
  await change()
  await letGo()
  expect(pages()).toEqual(['1 of 1'])
  await all()
  expect(pages()).toEqual(['1 of 2'])
})

test('a page that is on its way when something changes arrives, and all are read again', async () => {
  const { observer, change, letGo, all, pages } = await growing()
  await letGo()
  const more = observer.fetchNextPage()
  await vi.advanceTimersByTimeAsync(1)
  await change()
  await letGo()
  await more
  expect(pages()).toEqual(['1 of 1', '2 of 1'])
  await all()
  expect(pages()).toEqual(['1 of 2', '2 of 2'])
})

test('a page that is asked for while a change is read leaves nothing old behind', async () => {
  const { observer, change, letGo, all, pages } = await growing()
  await letGo()
  await change()
  void observer.fetchNextPage()
  await vi.advanceTimersByTimeAsync(1)
  await all()
  expect(pages()).toEqual(['1 of 2', '2 of 2'])
})

test('changes that go on do not keep a slow answer away', async () => {
  const { change, letGo, pages } = await growing()
  await letGo()
  await change()
  await change()
  await letGo()
  expect(pages()).toEqual(['1 of 2'])
})
