import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { makeQueryClient, whenCalm } from './query-client.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('a screen whose call takes long is calm after its answer and not before', async () => {
  const client = makeQueryClient()
  const { promise, resolve } = Promise.withResolvers<string>()
  const call = client.prefetchQuery({ queryKey: ['rows'], queryFn: () => promise })
  const calm = vi.fn()
  whenCalm(client, calm)
  await vi.advanceTimersByTimeAsync(20_000)
  expect(calm).not.toHaveBeenCalled()
  resolve('rows')
  await call
  await vi.advanceTimersByTimeAsync(200)
  expect(calm).toHaveBeenCalledOnce()
})

test('a screen that asks nothing is calm after a moment', async () => {
  const calm = vi.fn()
  whenCalm(makeQueryClient(), calm)
  await vi.advanceTimersByTimeAsync(1000)
  expect(calm).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1000)
  expect(calm).toHaveBeenCalledOnce()
})

test('it is not told once it was called off', async () => {
  const calm = vi.fn()
  const stop = whenCalm(makeQueryClient(), calm)
  stop()
  await vi.advanceTimersByTimeAsync(20_000)
  expect(calm).not.toHaveBeenCalled()
})
