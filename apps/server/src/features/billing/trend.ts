import type { Trend } from '@agency/contract/types'
import { percentChange } from '../../platform/percent-change.ts'

/** How much the figure changed against the period before, in percent with one decimal; null when there was nothing. */
export function trendOf({ current, previous }: { current: number; previous: number }, definition: string): Trend {
  return { current, previous, percent: percentChange(current, previous), definition }
}
