import type * as monitoring from '@agency/contract/descriptors/monitoring'
import type { MetricPoint } from '@agency/contract/types'
import type { ResponseOf } from '../../lib/api.ts'
import { formatDate, formatTime } from '../../lib/format-time.ts'

export type MetricsAnswer = ResponseOf<typeof monitoring.getMetrics>
type Span = Pick<MetricsAnswer, 'since' | 'until' | 'step_seconds'>

// A step that is wrong must not freeze the browser.
const mostSlots = 2000
const hourSeconds = 3600
const daySeconds = 24 * hourSeconds

/** Every step of the range, also those without a measurement. */
export function metricSlots({ since, until, step_seconds }: Span): string[] {
  const start = Date.parse(since)
  const stepMs = Math.max(1, step_seconds) * 1000
  const count = Math.min(mostSlots, Math.floor((Date.parse(until) - start) / stepMs) + 1)
  return Array.from({ length: Math.max(0, count) }, (_, index) => new Date(start + index * stepMs).toISOString())
}

/** The values of a series, one for each slot; a step that is left out is a gap. */
export function valuesIn(
  slots: readonly string[],
  { since, step_seconds }: Span,
  points: readonly MetricPoint[],
  pick: 'value' | 'max',
): (number | null)[] {
  const values = slots.map((): number | null => null)
  const start = Date.parse(since)
  for (const point of points) {
    const index = Math.floor((Date.parse(point.at) - start) / (Math.max(1, step_seconds) * 1000))
    if (index >= 0 && index < values.length) values[index] = point[pick]
  }
  return values
}

/** A moment as it stands below the chart: the time within a day, else the date. */
export function tickOf(at: string, { since, until }: Span): string {
  const seconds = (Date.parse(until) - Date.parse(since)) / 1000
  return seconds > 2 * daySeconds ? formatDate(at).replace(/\/\d{4}$/, '') : formatTime(at)
}

export const momentName = (at: string): string => `${formatDate(at)}, ${formatTime(at)}`
