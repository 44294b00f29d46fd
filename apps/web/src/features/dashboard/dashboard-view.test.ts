import { expect, test } from 'vitest'
import { failedView, mergeView, sectionNames } from './dashboard-view.ts'

const at = (minute: number) => `2026-11-21T10:0${minute}:00.000Z`
const none = { payments: [], has_more: false, total: 0, as_of: '2026-11-21T11:00:00Z' }
const payments = (minute: number) => ({ ok: true as const, data: none, as_of: at(minute) })
const failed = { ok: false as const, error: 'The database did not answer', code: 'unavailable' }

test('takes over what was answered', () => {
  const view = mergeView(undefined, { payments: payments(1) }, ['payments'])
  expect(view.payments).toEqual({ data: none, asOf: at(1), error: null })
})

test('keeps what was known of a section that fails, with its age', () => {
  const first = mergeView(undefined, { payments: payments(1) }, ['payments'])
  const second = mergeView(first, { payments: failed }, ['payments'])
  expect(second.payments).toEqual({
    data: none,
    asOf: at(1),
    error: { message: 'The database did not answer', code: 'unavailable' },
  })
})

test('forgets the failure once the section answers again', () => {
  const broken = mergeView(undefined, { payments: failed }, ['payments'])
  expect(mergeView(broken, { payments: payments(2) }, ['payments']).payments.error).toBeNull()
})

test('leaves the sections alone that were not asked', () => {
  const first = mergeView(undefined, { payments: payments(1) }, sectionNames)
  const second = mergeView(first, { stats: failed }, ['stats'])
  expect(second.payments).toBe(first.payments)
})

test('says so of a section that was asked and not answered', () => {
  expect(mergeView(undefined, {}, sectionNames).stats.error?.message).toBe(
    'The server did not answer for this section.',
  )
})

test('a failed fetch of everything keeps what was known', () => {
  const first = mergeView(undefined, { payments: payments(1) }, ['payments'])
  const lost = failedView(first, { message: 'No answer', code: 'unreachable' })
  expect(lost.payments).toMatchObject({ data: none, asOf: at(1), error: { code: 'unreachable' } })
  expect(lost.health).toMatchObject({ data: undefined, asOf: null, error: { code: 'unreachable' } })
})

test('a failed retry of one section says so of that one alone', () => {
  const first = mergeView(undefined, { payments: payments(1) }, ['payments'])
  const lost = failedView(first, { message: 'No answer', code: 'unreachable' }, ['stats'])
  expect(lost.stats.error?.code).toBe('unreachable')
  expect(lost.payments.error).toBeNull()
})
