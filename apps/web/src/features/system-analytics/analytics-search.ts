import * as systemAnalytics from '@agency/contract/descriptors/system-analytics'
import { q } from '../../lib/api.ts'
import { day } from '../../lib/day-field.ts'
import { ApiError } from '../../lib/problems.ts'
import { oneOf, readState, type StateOf } from '../../lib/search-state.ts'
import { lastUtcDays } from '../../lib/utc-days.ts'

const analyticsRanges = ['7d', '30d', '90d', '12m', 'custom'] as const

export const analyticsSearch = {
  range: oneOf(analyticsRanges, '30d'),
  from: day(),
  to: day(),
  open: oneOf(['', 'score'], '', { keepsPage: true }),
}
export type AnalyticsSearch = StateOf<typeof analyticsSearch>

export const rangeChoices: { value: (typeof analyticsRanges)[number]; label: string }[] = [
  { value: '7d', label: 'Last 7 days' },
  { value: '30d', label: 'Last 30 days' },
  { value: '90d', label: 'Last 90 days' },
  { value: '12m', label: 'Last 12 months' },
  { value: 'custom', label: 'Custom' },
]

const lengths = { '7d': 7, '30d': 30, '90d': 90, '12m': 365 } as const

/** A custom range that lacks an end, or ends before it begins, asks for nothing yet. */
export function daysOf({ range, from, to }: AnalyticsSearch, now: number): { first: string; last: string } | null {
  if (range !== 'custom') return lastUtcDays(lengths[range], now)
  return from !== '' && to !== '' && from <= to ? { first: from, last: to } : null
}

const failedText = 'Failed to fetch data'

/** The answer itself may say that nothing was done. */
export function analyticsQuery(state: AnalyticsSearch, now: number) {
  const days = daysOf(state, now)
  const isUsual = state.range === '30d' || days === null
  const query = q(systemAnalytics.getSystemAnalytics, {
    query: isUsual ? {} : { start_date: days.first, end_date: days.last },
  })
  return {
    ...query,
    queryFn: async (call: { signal: AbortSignal }) => {
      const answer: { success: boolean; error?: { message?: string } } & Awaited<ReturnType<typeof query.queryFn>> =
        await query.queryFn(call)
      if (answer.success) return answer
      const { error } = answer as { error?: { message?: string } }
      throw new ApiError({ title: failedText, detail: '', status: 200, code: 'bad_answer', told: error?.message ?? '' })
    },
  }
}

/** What the screen asks first, read from its address. */
export const analyticsQueries = (params: URLSearchParams) => [
  analyticsQuery(readState(analyticsSearch, params), Date.now()),
]

/** The specified words of each failure. */
export function failureText({ code, told }: ApiError): string {
  if (code === 'unreachable') return 'Unknown error'
  if (told === undefined) return 'Failed to fetch system analytics'
  return told || failedText
}
