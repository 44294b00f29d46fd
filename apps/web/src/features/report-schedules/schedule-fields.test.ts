import type { ReportSchedule } from '@agency/contract/types'
import { expect, test } from 'vitest'
import { aSchedule } from '../../../test/report-schedules.ts'
import { fieldsOf, newFields, scheduleProblems, termsOf } from './schedule-fields.ts'
import { nameOf, warningsOf, whenText } from './schedule-words.ts'

test('what a form sends is what it was opened with', () => {
  const schedule = aSchedule({ cadence: 'monthly', weekday: null, month_day: 31, format: 'pdf', report: 'usage' })
  const { report, cadence, weekday, month_day, hour, time_zone, format } = schedule
  expect(termsOf(fieldsOf(schedule), null)).toEqual({
    ...{ report, cadence, weekday, month_day, hour, time_zone, format, customer_id: null, receiver_ids: ['u1'] },
  })
})

test('a file is left out where the report has no table, and receivers where the customer gets it', () => {
  const fields = { ...newFields(true, 'UTC', { id: 'u1', name: 'Ada' }), format: 'pdf' as const }
  expect(termsOf(fields, 'cus_1')).toMatchObject({
    customer_id: 'cus_1',
    receiver_ids: [],
    format: 'pdf',
    month_day: 1,
  })
  expect(termsOf({ ...fields, report: 'revenue' }, null)).toMatchObject({ receiver_ids: ['u1'], format: null })
})

test('somebody must get it', () => {
  expect(scheduleProblems(newFields(false, 'UTC'))).toEqual({ receivers: 'Choose receivers' })
  expect(scheduleProblems(newFields(true, 'UTC'))).toEqual({ receivers: undefined })
})

test.each([
  [{}, 'Mondays, 8 AM, America/New York'],
  [{ cadence: 'monthly', weekday: null, month_day: 1, hour: 0 }, 'Day 1 of the month, 12 AM, America/New York'],
  [
    { cadence: 'monthly', weekday: null, month_day: 30, hour: 12 },
    'Day 30 of the month or its last, 12 PM, America/New York',
  ],
  [{ cadence: 'monthly', weekday: null, month_day: 31, hour: 23 }, 'Last day of the month, 11 PM, America/New York'],
] as [Partial<ReportSchedule>, string][])('%j is said as %s', (own, words) => {
  expect(whenText(aSchedule(own))).toBe(words)
})

test('a name and its warnings', () => {
  const gone = { id: 'u2', name: null, email: null, problem: 'This account was removed', unsubscribed_at: null }
  const schedule = aSchedule({
    receivers: [...aSchedule().receivers, gone],
    problem: 'Ada may not see reports any more',
  })
  expect(nameOf(schedule)).toBe('Weekly revenue report')
  expect(warningsOf(schedule)).toEqual(['Ada may not see reports any more', 'This account was removed: gets nothing'])
})
