import { cleanup, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { isSessionActive } from './activity.ts'
import { usePoll } from './use-poll.ts'

vi.mock('./activity.ts', () => ({ isSessionActive: vi.fn(() => true) }))

const poll = vi.fn()
let hidden = false

beforeEach(() => {
  vi.useFakeTimers()
  vi.spyOn(document, 'hidden', 'get').mockImplementation(() => hidden)
})

afterEach(() => {
  cleanup()
  poll.mockReset()
  hidden = false
  vi.mocked(isSessionActive).mockReturnValue(true)
  vi.useRealTimers()
})

test('turns every ten minutes', () => {
  renderHook(() => usePoll(poll))
  vi.advanceTimersByTime(599_999)
  expect(poll).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(poll).toHaveBeenCalledTimes(1)
  vi.advanceTimersByTime(1_200_000)
  expect(poll).toHaveBeenCalledTimes(3)
})

test('skips while the tab is hidden', () => {
  renderHook(() => usePoll(poll))
  hidden = true
  vi.advanceTimersByTime(600_000)
  hidden = false
  expect(poll).not.toHaveBeenCalled()
  vi.advanceTimersByTime(600_000)
  expect(poll).toHaveBeenCalledTimes(1)
})

test('skips while the session is inactive', () => {
  vi.mocked(isSessionActive).mockReturnValue(false)
  renderHook(() => usePoll(poll))
  vi.advanceTimersByTime(600_000)
  expect(poll).not.toHaveBeenCalled()
})
