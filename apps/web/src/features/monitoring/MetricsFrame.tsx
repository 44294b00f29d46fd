import type { ReactNode } from 'react'
import { chartHeight } from '../../ui/chart/chart.ts'
import { ListFailure } from '../../ui/ListFailure.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { StillWaiting } from '../../ui/StillWaiting.tsx'
import { SubTabLinks } from '../../ui/SubTabLinks.tsx'
import { MetricChart } from './MetricChart.tsx'
import type { ChartOf } from './metric-charts.ts'
import { metricRanges, rangeLabels } from './metric-search.ts'
import type { MetricsAnswer } from './metric-slots.ts'
import css from './monitoring.module.css'
import type { Metrics } from './use-metrics.ts'

type Props = { metrics: Metrics; charts: readonly ChartOf[]; children?: (answer: MetricsAnswer) => ReactNode }

/** Charts over a range that the address names, with all their states. */
export function MetricsFrame({ metrics, charts, children }: Props) {
  const { search, answer, error, at, refresh } = metrics
  const { state, hrefFor } = search
  return (
    <>
      <SubTabLinks
        label="Range"
        current={hrefFor({ range: state.range })}
        tabs={metricRanges.map((range) => ({ href: hrefFor({ range }), label: rangeLabels[range] }))}
      />
      <ListFailure error={error} what="the metrics" at={at} onRetry={refresh} />
      {answer ? (
        <>
          <div className={css['charts']}>
            {charts.map((chart) => (
              <MetricChart key={chart.title} chart={chart} answer={answer} />
            ))}
          </div>
          {children?.(answer)}
        </>
      ) : error ? null : (
        <Waiting charts={charts} />
      )}
    </>
  )
}

function Waiting({ charts }: Pick<Props, 'charts'>) {
  return (
    <>
      <StillWaiting />
      <div className={css['charts']}>
        {charts.map(({ title }) => (
          <Panel key={title} title={title} loading skeleton={<Skeleton height={chartHeight + 60} />}>
            {null}
          </Panel>
        ))}
      </div>
    </>
  )
}
