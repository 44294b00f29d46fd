import { expect, test } from 'vitest'
import { type ScoredTimings, scoreOf } from './score.ts'

const look = (ttfb_ms: number, connect_ms = 50, download_ms: number | null = 20): ScoredTimings => ({
  ...{ dns_ms: 10, connect_ms, tls_ms: 30, ttfb_ms, download_ms },
})
const three = (each: ScoredTimings) => [each, each, each]

test('a fast site has all marks, a hopeless one none', () => {
  expect(scoreOf(three(look(200)))).toBe(100)
  expect(scoreOf(three(look(9000, 5000, 5000)))).toBe(0)
})

test('every doubling of the time to the first byte costs the same', () => {
  const at = (ms: number) => scoreOf(three(look(ms)))!
  const losses = [400, 800, 1600].map((ms) => at(ms / 2) - at(ms))
  expect(Math.max(...losses) - Math.min(...losses)).toBeLessThanOrEqual(1)
  expect(losses[0]).toBeGreaterThan(10)
  expect(at(3000)).toBe(50)
})

test('one slow look of several changes nothing, and only the newest ten count', () => {
  expect(scoreOf([look(9000), look(150), look(160)])).toBe(100)
  const old = Array.from({ length: 30 }, () => look(9000))
  expect(scoreOf([...Array.from({ length: 10 }, () => look(150)), ...old])).toBe(100)
})

test('nothing is said of too few looks, or of looks that lack a part', () => {
  expect(scoreOf([])).toBeNull()
  expect(scoreOf([look(100), look(100)])).toBeNull()
  expect(scoreOf(three(look(100, 50, null)))).toBeNull()
})

test('a part that there was none of costs nothing: no name was looked up, no TLS spoken', () => {
  expect(scoreOf(three({ ...look(100), dns_ms: null, tls_ms: null }))).toBe(100)
})
