import * as auth from '@agency/contract/descriptors/auth'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { TestChannel } from '../../test/channel.ts'
import { mockApi } from '../../test/mock-api.ts'
import { type ActivityTracker, trackActivity } from './activity.ts'
import { defaultLimits as limits } from './idle.ts'
import { save } from './storage.ts'

const answer = () => ({ idle_expires_at: null })
const tabs: ActivityTracker[] = []
const expired = vi.fn()
let api: ReturnType<typeof mockApi>
let hidden = false

function openTab(): ActivityTracker {
  const tab = trackActivity({ limits, onExpire: () => expired(tabs.indexOf(tab)) })
  tabs.push(tab)
  return tab
}

const phases = () => tabs.map((tab) => tab.view().phase)
const pass = (minutes: number, seconds = 0) => vi.advanceTimersByTime((minutes * 60 + seconds) * 1000)
const sent = (name: string) => api.calls().filter((call) => call.name === name)

beforeEach(() => {
  vi.useFakeTimers({ now: Date.UTC(2026, 10, 21, 9) })
  vi.stubGlobal('BroadcastChannel', TestChannel)
  vi.spyOn(document, 'hidden', 'get').mockImplementation(() => hidden)
  save('adminKey', 'key')
  api = mockApi(auth, { heartbeat: answer, reportVisibility: answer })
})

afterEach(() => {
  for (const tab of tabs.splice(0)) tab.stop()
  expired.mockReset()
  hidden = false
  localStorage.clear()
  vi.useRealTimers()
  vi.restoreAllMocks()
})

test('three idle tabs warn at 25:00 and end together at 30:00', () => {
  openTab()
  openTab()
  openTab()
  pass(24, 59)
  expect(phases()).toEqual(['active', 'active', 'active'])
  pass(0, 1)
  expect(phases()).toEqual(['warning', 'warning', 'warning'])
  expect(tabs[0]?.view().secondsLeft).toBe(300)
  pass(4, 59)
  expect(expired).not.toHaveBeenCalled()
  pass(0, 1)
  expect(new Set(expired.mock.calls.map(([tab]) => tab))).toEqual(new Set([0, 1, 2]))
})

test('activity in one tab closes the warning in all', () => {
  openTab()
  openTab()
  openTab()
  pass(26)
  tabs[2]?.continueSession()
  pass(0, 1)
  expect(phases()).toEqual(['active', 'active', 'active'])
  pass(24, 58)
  expect(phases()).toEqual(['active', 'active', 'active'])
  expect(expired).not.toHaveBeenCalled()
})

test('listens to the six events and leaves pointer movement out while it warns', () => {
  const tab = openTab()
  const heard = (type: string) => {
    pass(20)
    window.dispatchEvent(new Event(type))
    pass(4)
    return tab.view().phase
  }
  for (const type of ['mousedown', 'mousemove', 'keydown', 'scroll', 'touchstart', 'click']) {
    expect([type, heard(type)]).toEqual([type, 'active'])
  }
  pass(24)
  expect(tab.view().phase).toBe('warning')
  window.dispatchEvent(new Event('mousemove'))
  expect(tab.view().phase).toBe('warning')
  window.dispatchEvent(new Event('mousedown'))
  expect(tab.view().phase).toBe('active')
})

test('decides by the clock when the machine wakes', () => {
  openTab()
  vi.setSystemTime(Date.now() + 8 * 3_600_000)
  window.dispatchEvent(new Event('mousemove'))
  expect(expired).toHaveBeenCalled()
})

test('a hidden tab waits, and says so to the server', () => {
  const tab = openTab()
  hidden = true
  document.dispatchEvent(new Event('visibilitychange'))
  pass(90)
  expect(tab.view().phase).toBe('paused')
  hidden = false
  document.dispatchEvent(new Event('visibilitychange'))
  expect(tab.view().phase).toBe('active')
  expect(expired).not.toHaveBeenCalled()
  expect(sent('reportVisibility').map(({ body }) => (body as { state: string }).state)).toEqual(['hidden', 'visible'])
})

test('a closing tab says so', () => {
  openTab()
  window.dispatchEvent(new Event('pagehide'))
  expect(sent('reportVisibility')[0]?.body).toMatchObject({
    state: 'closed',
    tab: expect.stringMatching(/^[0-9a-f]{32}$/),
  })
})

test('ten minutes of work send at most one heartbeat a minute; ten of rest send none', () => {
  openTab()
  for (let second = 0; second < 600; second += 5) {
    window.dispatchEvent(new Event('mousemove'))
    pass(0, 5)
  }
  const busy = sent('heartbeat').length
  expect(busy).toBeGreaterThanOrEqual(9)
  expect(busy).toBeLessThanOrEqual(11)
  pass(1)
  const rested = sent('heartbeat').length
  pass(10)
  expect(sent('heartbeat')).toHaveLength(rested)
})
