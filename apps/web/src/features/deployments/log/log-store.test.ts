import { beforeEach, expect, test, vi } from 'vitest'
import { aLogLine } from '../../../../test/deployments.ts'
import { chunkOf, chunkSize, createLogStore, type LogPage, type LogReader } from './log-store.ts'

beforeEach(() => {
  vi.useFakeTimers()
  return () => vi.useRealTimers()
})

const page = (after: number, limit: number, total: number, complete = true): LogPage => ({
  lines: Array.from({ length: Math.max(0, Math.min(limit, total - after)) }, (_, i) => aLogLine(after + i + 1)),
  total,
  complete,
})
function storeOf(total: number) {
  const read = vi.fn<LogReader>(async (after, limit) => page(after, limit, total))
  return { read, store: createLogStore(read) }
}
const asked = (read: ReturnType<typeof storeOf>['read']) => read.mock.calls.map(([after]) => after)

test('reads only what is looked at, in pages', async () => {
  const { read, store } = storeOf(100_000)
  store.want(1, 1)
  await vi.runAllTimersAsync()
  expect(store.state()).toMatchObject({ total: 100_000, complete: true })
  expect(asked(read)).toEqual([0])
  store.want(70_001, 70_060)
  await vi.runAllTimersAsync()
  expect(asked(read)).toEqual([0, 70_000])
  expect(store.chunk(chunkOf(70_001))?.[0]).toMatchObject({ number: 70_001 })
  expect(store.chunk(chunkOf(40_001))).toBeUndefined()
  store.want(70_041, 70_100)
  await vi.runAllTimersAsync()
  expect(read).toHaveBeenCalledTimes(2)
})

test('while the scroll bar is pulled, only where it rests is read', async () => {
  const { read, store } = storeOf(100_000)
  store.want(1, 1)
  await vi.runAllTimersAsync()
  for (let line = 1000; line < 90_000; line += 1000) {
    store.want(line, line + 40)
    await vi.advanceTimersByTimeAsync(16)
  }
  await vi.runAllTimersAsync()
  expect(asked(read)).toEqual([0, 88_500, 89_000])
})

test('what is left is not read any more, and is read when it is come back to', async () => {
  const signals = new Map<number, AbortSignal>()
  const read = vi.fn<LogReader>((after, limit, signal) => {
    if (after === 0) return Promise.resolve(page(after, limit, 5000))
    signals.set(after, signal)
    return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
  })
  const store = createLogStore(read)
  store.want(1, 1)
  await vi.runAllTimersAsync()
  store.want(1001, 1040)
  await vi.runAllTimersAsync()
  store.want(3001, 3040)
  await vi.runAllTimersAsync()
  expect(signals.get(1000)?.aborted).toBe(true)
  expect(store.state().error).toBeNull()
  store.want(1001, 1040)
  await vi.runAllTimersAsync()
  expect(asked(read)).toEqual([0, 1000, 3000, 1000])
})

test('new lines come to the end, and change no group but their own', async () => {
  const { store } = storeOf(25)
  store.want(1, 25)
  await vi.runAllTimersAsync()
  const last = chunkOf(25)
  const [before, open] = [store.chunk(last - 1), store.chunk(last)]
  store.take({ lines: [aLogLine(26), aLogLine(27)], total: 27, complete: false })
  expect(store.chunk(last - 1)).toBe(before)
  expect(store.chunk(last)).not.toBe(open)
  expect(store.chunk(last)?.map((line) => line?.number)).toEqual([21, 22, 23, 24, 25, 26, 27])
  expect(store.state().total).toBe(27)
})

test('a line that took the place of another text is shown, and stays whatever was asked for before', async () => {
  let answer = (_page: LogPage) => {}
  const read = vi.fn<LogReader>(
    () =>
      new Promise((resolve) => {
        answer = resolve
      }),
  )
  read.mockImplementationOnce((after, limit) => Promise.resolve(page(after, limit, 1, false)))
  const store = createLogStore(read)
  store.want(1, 1)
  await vi.runAllTimersAsync()
  store.take({ lines: [], total: 2, complete: false })
  store.want(1, 2)
  await vi.runAllTimersAsync()
  store.take({ lines: [aLogLine(1, 'Build accepted')], total: 2, complete: false })
  expect(store.chunk(0)?.[0]?.text).toBe('Build accepted')
  answer(page(0, 500, 2, false))
  await vi.runAllTimersAsync()
  expect(store.chunk(0)?.map((line) => line?.text)).toEqual(['Build accepted', aLogLine(2).text])
})

test('an older answer takes nothing back', async () => {
  const { store } = storeOf(25)
  store.want(1, 25)
  await vi.runAllTimersAsync()
  store.take({ lines: [], total: 20, complete: false })
  expect(store.state()).toMatchObject({ total: 25, complete: true })
})

test('a failure is told, keeps what was read, and is tried again', async () => {
  let isBroken = false
  const store = createLogStore(async (after, limit) => {
    if (isBroken) throw new Error('down')
    return page(after, limit, 2000)
  })
  store.want(1, 1)
  await vi.runAllTimersAsync()
  isBroken = true
  store.want(1500, 1540)
  await vi.runAllTimersAsync()
  expect(store.state().error?.message).toBe('down')
  expect(store.chunk(0)).toHaveLength(chunkSize)
  isBroken = false
  store.retry()
  await vi.runAllTimersAsync()
  expect(store.state().error).toBeNull()
  expect(store.chunk(chunkOf(1501))).toHaveLength(chunkSize)
})
