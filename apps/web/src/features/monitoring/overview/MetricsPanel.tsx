import type { PerformanceMetric } from '@agency/contract/types'
import { paths } from '../../../lib/paths.ts'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { formatMeasure } from '../measure.ts'
import css from '../monitoring.module.css'
import { trendOf } from '../monitoring-words.ts'
import { type Board, OverviewPanel } from './OverviewPanel.tsx'

export function MetricsPanel({ board }: { board: Board }) {
  return (
    <OverviewPanel title="Performance Metrics" board={board} href={paths.monitoringPerformance} link="All metrics">
      {({ performanceMetrics }) =>
        performanceMetrics.length === 0 ? (
          <EmptyState compact title="No figures yet" text="The first figures arrive within a minute of the start." />
        ) : (
          <>
            <dl className={css['metrics']}>
              {performanceMetrics.map((metric) => (
                <div key={metric.name} className={css['metric']}>
                  <dt>{metric.name}</dt>
                  <dd>
                    {metric.value === null ? (
                      <span className={css['muted']}>Unavailable</span>
                    ) : (
                      formatMeasure(metric.value, metric.unit)
                    )}
                    <Change metric={metric} />
                  </dd>
                </div>
              ))}
            </dl>
            {performanceMetrics.some(({ change }) => change !== null) ? (
              <p className={css['legend']}>Changes vs the same hour yesterday.</p>
            ) : null}
          </>
        )
      }
    </OverviewPanel>
  )
}

function Change({ metric }: { metric: PerformanceMetric }) {
  const trend = trendOf(metric)
  return (
    <span className={css['change']}>
      {trend ? (
        <>
          <span aria-hidden="true">{trend.arrow} </span>
          {trend.words}
        </>
      ) : null}
    </span>
  )
}
