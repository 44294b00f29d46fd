import type { MetricKey } from '@agency/contract/monitoring'
import type { Metrics } from '../../platform/metrics.ts'
import type { MinuteValue } from '../monitoring/index.ts'

const minuteMs = 60_000

/** A figure as it is now, and its greatest since the last sample where that is known; null: not measured. */
export type Sampled = Partial<Record<MetricKey, number | { value: number; max: number } | null>>

type Gauge = { sum: number; count: number; max: number }

/** Gathers what is sampled within a minute, until that minute is over. */
export function createMinuteGauges() {
  let minute = 0
  let gauges = new Map<MetricKey, Gauge>()

  function add(key: MetricKey, value: number, max: number): void {
    const gauge = gauges.get(key) ?? { sum: 0, count: 0, max }
    gauges.set(key, { sum: gauge.sum + value, count: gauge.count + 1, max: Math.max(gauge.max, max) })
  }

  return {
    /** Answers the minute before, when this sample is the first of a new one. */
    take(now: number, sampled: Sampled): { minute: number; values: MinuteValue[] } | null {
      const current = Math.floor(now / minuteMs) * minuteMs
      const over = current === minute || gauges.size === 0 ? null : { minute, values: valuesOf(gauges) }
      if (current !== minute) {
        minute = current
        gauges = new Map()
      }
      for (const [key, found] of Object.entries(sampled) as [MetricKey, Sampled[MetricKey]][]) {
        if (typeof found === 'number') add(key, found, found)
        else if (found) add(key, found.value, found.max)
      }
      return over
    },
  }
}

const valuesOf = (gauges: ReadonlyMap<MetricKey, Gauge>): MinuteValue[] =>
  [...gauges].map(([metric, { sum, count, max }]) => ({ metric, value: sum / count, max }))

/** What the requests of that minute took. */
export function requestValues({ requests }: Pick<Metrics, 'requests'>, minute: number): MinuteValue[] {
  const { requests: count, errors, p50Ms, p95Ms, p99Ms } = requests.minute(minute)
  const figures: Partial<Record<MetricKey, number | null>> = {
    requests_per_minute: count,
    error_rate_percent: count === 0 ? null : (100 * errors) / count,
    response_p50_ms: p50Ms,
    response_p95_ms: p95Ms,
    response_p99_ms: p99Ms,
  }
  return (Object.entries(figures) as [MetricKey, number | null][]).flatMap(([metric, value]) =>
    value === null ? [] : [{ metric, value, max: value }],
  )
}
