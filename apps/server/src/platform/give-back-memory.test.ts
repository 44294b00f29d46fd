import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { giveBackMemory } from './give-back-memory.ts'

const mb = 1024 * 1024
const everyMs = 1000
const settledMs = 100
let rss: number
let cpuMs: number
let collections: number
let collectedAtStart: number
let stop: () => void

beforeEach(() => {
  vi.useFakeTimers()
  rss = 180
  cpuMs = 0
  collections = 0
  const read = () => ({ rssBytes: rss * mb, usedCpuMs: cpuMs })
  stop = giveBackMemory({ read, collect: () => collections++ }, { everyMs, settledMs: [settledMs / 2, settledMs] })
  vi.advanceTimersByTime(settledMs)
  collectedAtStart = collections
  collections = 0
  return () => vi.useRealTimers()
})
afterEach(() => stop())

/** A look after a second in which so much of a core was used. */
function look(busyMs = 10): number {
  cpuMs += busyMs
  vi.advanceTimersByTime(everyMs)
  return collections
}

test('what the start left, and the jobs that begin with it, is given back', () => {
  expect(collectedAtStart).toBe(2)
})

test('a process that holds little more than at rest is left alone', () => {
  rss = 190
  for (let time = 0; time < 10; time++) expect(look()).toBe(0)
})

test('after a load the memory is given back once, when it is quiet', () => {
  rss = 500
  expect([look(900), look(300)]).toEqual([0, 0])
  expect(look()).toBe(1)
  rss = 190
  expect([look(), look(), look()]).toEqual([1, 1, 1])
})

test('what three collections do not give back is needed, and not asked for again', () => {
  rss = 500
  expect([look(), look(), look()]).toEqual([1, 2, 3])
  for (let time = 0; time < 10; time++) expect(look()).toBe(3)
  rss = 540
  expect(look()).toBe(4)
})

test('the next load is given back as well', () => {
  rss = 400
  expect(look()).toBe(1)
  rss = 190
  look()
  rss = 400
  expect(look(900)).toBe(1)
  expect(look()).toBe(2)
})

test('nothing is looked at any more once it has stopped', () => {
  stop()
  rss = 500
  expect(look()).toBe(0)
})
