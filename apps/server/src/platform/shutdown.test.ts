import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createStops } from './shutdown.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

test('parts are stopped one after the other, the last one first', async () => {
  const stops = createStops(() => undefined)
  const stopped: string[] = []
  stops.add('first', () => stopped.push('first'))
  stops.add('second', async () => stopped.push('second'))
  await stops.stopAll()
  expect(stopped).toEqual(['second', 'first'])
})

test('a part that does not end is left behind after its time, and one that fails keeps no other', async () => {
  const stops = createStops(() => undefined)
  const stopped: string[] = []
  const never = new Promise(() => {})
  stops.add('database', () => stopped.push('database'), Number.POSITIVE_INFINITY)
  stops.add('broken', () => Promise.reject(new Error('no')))
  for (const part of ['jobs', 'server', 'deployments']) stops.add(part, () => never)
  const ending = stops.stopAll()
  await vi.advanceTimersByTimeAsync(2500)
  expect(stopped).toEqual(['database'])
  await ending
})
