import { expect, test } from 'vitest'
import { dayMs, dueReminder, stateOf } from './state.ts'

const now = Date.parse('2026-11-21T12:00:00Z')
const at = (days: number) => new Date(now + days * dayMs)
const key = { revoked_at: null, expires_at: null, last_used_at: null, created_at: at(-10), hasMaker: true }

test.each([
  [{}, 'active'],
  [{ created_at: at(-91) }, 'unused'],
  [{ created_at: at(-400), last_used_at: at(-90) }, 'active'],
  [{ created_at: at(-400), last_used_at: at(-91) }, 'unused'],
  [{ expires_at: at(31) }, 'active'],
  [{ expires_at: at(30) }, 'expiring'],
  [{ expires_at: at(30), created_at: at(-91) }, 'expiring'],
  [{ expires_at: at(0) }, 'expired'],
  [{ expires_at: at(30), hasMaker: false }, 'creator_gone'],
  [{ expires_at: at(-1), hasMaker: false }, 'expired'],
  [{ revoked_at: at(-1), expires_at: at(-2), hasMaker: false }, 'revoked'],
] as const)('%j is %s', (facts, expected) => {
  expect(stateOf({ ...key, ...facts }, now)).toBe(expected)
})

test.each([
  [31, undefined],
  [30, 30],
  [8, 30],
  [7, 7],
  [1.5, 7],
  [1, 1],
  [0.01, 1],
  [0, undefined],
])('%d days before its end the reminder of %s days is due', (days, expected) => {
  expect(dueReminder(days * dayMs)).toBe(expected)
})
