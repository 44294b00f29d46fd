import { expect, test } from 'vitest'
import { defaultSettings } from '../../config.ts'
import {
  type Activity,
  afterHeartbeat,
  afterReport as afterReportOf,
  idleEnd as idleEndOf,
  sessionLimits,
  type TabReport,
} from './idle.ts'

const limits = sessionLimits(defaultSettings)
const afterReport = (activity: Activity, report: TabReport, now: number) => afterReportOf(activity, report, now, limits)
const idleEnd = (activity: Activity) => idleEndOf(activity, limits)

const fresh: Activity = { lastActivityAt: 0, hiddenSince: null, tabs: {} }

test('remembers no more than fifty tabs, the newest ones', () => {
  let activity = fresh
  for (let tab = 0; tab < 200; tab++) activity = afterReport(activity, { tab: `t${tab}`, state: 'visible' }, tab)
  expect(Object.keys(activity.tabs)).toHaveLength(50)
  expect(activity.tabs).toHaveProperty('t199')
  expect(activity.tabs).not.toHaveProperty('t149')
})

test('takes any name for a tab', () => {
  const activity = afterReport(fresh, { tab: '__proto__', state: 'hidden' }, 5)
  expect(Object.keys(JSON.parse(JSON.stringify(activity.tabs)))).toEqual(['__proto__'])
  expect(idleEnd(activity)).toBe(5 + 4 * 3_600_000)
})

test('a second report that a tab is hidden does not begin the four hours again', () => {
  const hidden = afterReport(fresh, { tab: 'a', state: 'hidden' }, 10)
  expect(idleEnd(afterReport(hidden, { tab: 'a', state: 'hidden' }, 60_000))).toBe(idleEnd(hidden))
})

test('a heartbeat of an unnamed tab still means that somebody is there', () => {
  const hidden = afterReport(fresh, { tab: 'a', state: 'hidden' }, 10)
  expect(idleEnd(afterHeartbeat(hidden, 1000))).toBe(1000 + 1_800_000)
})
