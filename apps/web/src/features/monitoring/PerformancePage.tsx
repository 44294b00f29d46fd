import { paths } from '../../lib/paths.ts'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { EndpointsTable } from './EndpointsTable.tsx'
import { MetricsFrame } from './MetricsFrame.tsx'
import { MonitoringTabs } from './MonitoringTabs.tsx'
import { performanceCharts } from './metric-charts.ts'
import { useMetrics } from './use-metrics.ts'

export function PerformancePage() {
  const metrics = useMetrics()
  return (
    <>
      <PageHeader title="Performance Metrics" summary="Response times of sites and console" />
      <MonitoringTabs current={paths.monitoringPerformance} />
      <MetricsFrame metrics={metrics} charts={performanceCharts}>
        {(answer) => <EndpointsTable answer={answer} search={metrics.search} />}
      </MetricsFrame>
    </>
  )
}
