import type { UsageMetric } from '@agency/contract/types'
import { formatBytes, formatCount, formatNumber, formatPercent } from '../../../lib/format.ts'

export const formatMetric: Record<UsageMetric['unit'], (value: number) => string> = {
  count: formatCount,
  bytes: formatBytes,
  percent: formatPercent,
  minutes: (value) => `${formatNumber(value, 1)} min`,
}

/** The difference of two shares is in points. */
export const formatMetricChange: Partial<Record<UsageMetric['unit'], (value: number) => string>> = {
  percent: (value) => `${formatNumber(value, 1)} points`,
}
