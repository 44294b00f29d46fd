import * as events from '@agency/contract/descriptors/events'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { TestChannel } from '../../test/channel.ts'
import { mockApi, problem } from '../../test/mock-api.ts'
import { followChanges } from './live.ts'
import { save } from './storage.ts'

const onTopics = vi.fn()
const onResync = vi.fn()
const onState = vi.fn()
let stop = () => {}
let stream: ReadableStreamDefaultController<Uint8Array> | undefined

const say = (text: string) => stream?.enqueue(new TextEncoder().encode(text))
const openStream = ({ signal }: { signal: AbortSignal | null }) =>
  new Response(
    new ReadableStream<Uint8Array>({
      start: (controller) => {
        stream = controller
        signal?.addEventListener('abort', () => controller.error(signal.reason))
      },
    }),
  )

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('BroadcastChannel', TestChannel)
  save('adminKey', 'key')
})

afterEach(() => {
  stop()
  vi.useRealTimers()
  for (const mock of [onTopics, onResync, onState]) mock.mockReset()
  localStorage.clear()
})

const follow = () => {
  stop = followChanges({ onTopics, onResync, onState })
}
const settle = () => vi.advanceTimersByTimeAsync(10)

test('tells the topics that changed', async () => {
  mockApi(events, { openEventStream: openStream })
  follow()
  await settle()
  say(
    'event: changes\ndata: {"topics":["payments","customers"]}\n\nevent: other\ndata: {}\n\nevent: changes\ndata: nonsense\n\n',
  )
  await settle()
  expect(onState).toHaveBeenLastCalledWith('open')
  expect(onTopics.mock.calls).toEqual([[['payments', 'customers']], [[]]])
  // What was read before the stream was open may be old already.
  expect(onResync).toHaveBeenCalledTimes(1)
})

test('comes back after a break, from where it was, and has everything read again', async () => {
  const api = mockApi(events, { openEventStream: openStream })
  follow()
  await settle()
  say('id: 41\nevent: changes\ndata: {"topics":[]}\n\n')
  await settle()
  stream?.close()
  await settle()
  expect(onState).toHaveBeenLastCalledWith('down')
  await vi.advanceTimersByTimeAsync(1500)
  expect(api.calls()[1]?.headers.get('last-event-id')).toBe('41')
  expect(onState).toHaveBeenLastCalledWith('open')
  expect(onResync).toHaveBeenCalledTimes(2)
})

test('waits longer after each failure, but never longer than half a minute and a bit', async () => {
  const api = mockApi(events, { openEventStream: () => problem(503) })
  follow()
  const gaps: number[] = []
  let known = 0
  for (let ms = 0; ms < 200_000; ms += 250) {
    await vi.advanceTimersByTimeAsync(250)
    if (api.calls().length > known) gaps.push(ms)
    known = api.calls().length
  }
  const waits = gaps.slice(1).map((at, index) => at - gaps[index]!)
  expect(Math.max(...waits)).toBeLessThanOrEqual(38_000)
  expect(waits.at(-1)!).toBeGreaterThan(waits[0]! * 8)
})

test('notices a connection that died without a word', async () => {
  const api = mockApi(events, { openEventStream: openStream })
  follow()
  await settle()
  await vi.advanceTimersByTimeAsync(44_000)
  say(': still here\n\n')
  await vi.advanceTimersByTimeAsync(44_000)
  expect(api.calls()).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(4000)
  expect(api.calls()).toHaveLength(2)
})

test('stops for good when told to', async () => {
  const api = mockApi(events, { openEventStream: () => problem(503) })
  follow()
  await settle()
  stop()
  await vi.advanceTimersByTimeAsync(120_000)
  expect(api.calls()).toHaveLength(1)
})

test('a tab that joins an open stream reads once and then hears what the others hear', async () => {
  mockApi(events, { openEventStream: openStream })
  vi.stubGlobal('navigator', { locks: { request: () => new Promise(() => {}) } })
  const leader = new TestChannel('agency.live')
  leader.onmessage = ({ data }) => {
    if ((data as { ask?: string }).ask) leader.postMessage({ state: 'open' })
  }
  follow()
  expect(onState).toHaveBeenLastCalledWith('open')
  expect(onResync).toHaveBeenCalledTimes(1)
  leader.postMessage({ topics: ['plans'] })
  leader.postMessage({ state: 'open' })
  expect(onTopics).toHaveBeenCalledWith(['plans'])
  expect(onResync).toHaveBeenCalledTimes(1)
  leader.close()
})
