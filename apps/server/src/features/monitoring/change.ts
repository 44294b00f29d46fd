import type { PerformanceMetric } from '@agency/contract/monitoring'

/** Less than this is the same. */
const stableWithinPercent = 5

/** How a figure has changed against an earlier one; there is nothing to compare with where either was not measured. */
export function changeOf(value: number | null, before: number | null): Pick<PerformanceMetric, 'change' | 'trend'> {
  if (value === null || before === null) return { change: null, trend: 'stable' }
  if (before === 0) return value === 0 ? { change: 0, trend: 'stable' } : { change: null, trend: 'up' }
  const change = (100 * (value - before)) / before
  if (Math.abs(change) <= stableWithinPercent) return { change, trend: 'stable' }
  return { change, trend: change > 0 ? 'up' : 'down' }
}
