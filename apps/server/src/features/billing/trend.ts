import type { Trend } from '@agency/contract/types'

/** How much the figure changed against the period before, in percent with one decimal; null when there was nothing. */
export function trendOf({ current, previous }: { current: number; previous: number }, definition: string): Trend {
  const percent = previous === 0 ? null : Math.round(((current - previous) / Math.abs(previous)) * 1000) / 10
  return { current, previous, percent, definition }
}
