import { expect, test } from 'vitest'
import { nextLookAt } from './schedule.ts'

const minute = 60_000
const start = Date.parse('2026-03-01T09:00:00Z')
const ids = Array.from({ length: 5000 }, (_, index) => `site_${String(index).padStart(16, '0')}`)

/** When a site is looked at, each time as soon as it is due. */
function looksOf(id: string, interval: number, count: number): number[] {
  const looks = [start]
  while (looks.length < count) looks.push(nextLookAt(id, looks.at(-1)!, interval).getTime())
  return looks
}

test('no look comes later than its interval, nor much sooner', () => {
  for (const id of ids.slice(0, 100)) {
    const looks = looksOf(id, minute, 12)
    const gaps = looks.slice(1).map((at, index) => at - looks[index]!)
    expect(Math.max(...gaps)).toBeLessThanOrEqual(minute)
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(0.75 * minute)
    expect(gaps.slice(-5)).toEqual(Array.from({ length: 5 }, () => minute))
  }
})

test('sites that began together are spread evenly over the interval after a few looks', () => {
  const seconds = new Array<number>(60).fill(0)
  for (const id of ids) seconds[Math.floor((looksOf(id, minute, 8).at(-1)! % minute) / 1000)]! += 1
  expect(Math.max(...seconds)).toBeLessThan(130)
  expect(Math.min(...seconds)).toBeGreaterThan(45)
})

test('a late look does not move the ones after it', () => {
  const id = ids[7]!
  const due = looksOf(id, minute, 10).at(-1)!
  expect(nextLookAt(id, due + 4000, minute).getTime()).toBe(due + minute)
})
