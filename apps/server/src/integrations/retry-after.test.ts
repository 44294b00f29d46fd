import { expect, test, vi } from 'vitest'
import { retryAfterOf } from './retry-after.ts'

test.each<[string | null | undefined, number | undefined]>([
  ['7', 7],
  ['0', 0],
  ['1.2', 2],
  ['-5', 0],
  ['100000', 300],
  ['Mon, 23 Nov 2026 10:01:00 GMT', 60],
  ['Mon, 23 Nov 2026 09:00:00 GMT', 0],
  ['soon', undefined],
  ['', undefined],
  [null, undefined],
  [undefined, undefined],
])('%s is %s seconds', (header, seconds) => {
  vi.useFakeTimers({ now: new Date('2026-11-23T10:00:00Z') })
  expect(retryAfterOf(header, 300)).toBe(seconds)
  vi.useRealTimers()
})
