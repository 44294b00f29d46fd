import type { UsageMetric } from '@agency/contract/types'
import { Delta } from '../../../ui/Delta.tsx'
import { StatCard } from '../../../ui/StatCard.tsx'
import css from '../reports.module.css'
import { compareWords, type ReportsSearch } from '../reports-search.ts'
import { formatMetric, formatMetricChange } from './metric-words.ts'

type Props = { metrics: readonly UsageMetric[]; days: number; state: ReportsSearch }

export function MetricCards({ metrics, days, state }: Props) {
  return (
    <div className={css['figures']}>
      {metrics.map((metric) => (
        <Metric key={metric.key} metric={metric} days={days} state={state} />
      ))}
    </div>
  )
}

function Metric({ metric, days, state }: { metric: UsageMetric; days: number; state: ReportsSearch }) {
  const { metric: label, current, previous, change, unit, reason, definition, known_days: known } = metric
  const format = formatMetric[unit]
  if (current === null) return <StatCard label={label} value="—" state="unavailable" note={reason} />
  const isPart = known !== null && known < days
  return (
    <StatCard
      label={label}
      value={format(current)}
      note={
        <>
          {metric.key === 'storage' ? (
            'now'
          ) : (
            <Delta
              {...{ current, previous, definition, format }}
              percent={unit === 'percent' ? null : change}
              formatChange={formatMetricChange[unit]}
              period={compareWords[state.compare]}
            />
          )}
          {isPart ? <span>{`${known} of ${days} days known`}</span> : null}
        </>
      }
    />
  )
}
