import type { ReportDelivery, ReportSchedule } from '@agency/contract/types'

export const aSchedule = (own: Partial<ReportSchedule> = {}): ReportSchedule => ({
  ...{ id: 'rs_1', report: 'revenue', customer_id: null, format: null, cadence: 'weekly', weekday: 1 },
  receivers: [{ id: 'u1', name: 'Ada Lovelace', email: 'ada@example.com', problem: null, unsubscribed_at: null }],
  ...{ month_day: null, hour: 8, time_zone: 'America/New_York', state: 'active', problem: null, owner: 'Ada Lovelace' },
  ...{ next_at: '2026-11-30T13:00:00Z', last: null, denial: null, version: 1 },
  ...own,
})

export const aDelivery = (own: Partial<ReportDelivery> = {}): ReportDelivery => ({
  ...{ id: 'd1', cause: 'schedule', ordered_by: null, due_at: '2026-11-23T13:00:00Z', file_problem: null },
  ...{ first_day: '2026-11-15', last_day: '2026-11-21', state: 'done', reason: null },
  receivers: [
    {
      ...{ name: 'Ada Lovelace', address: 'ada@example.com', state: 'sent', reason: null },
      sent_at: '2026-11-23T13:00:05Z',
    },
  ],
  ...own,
})
