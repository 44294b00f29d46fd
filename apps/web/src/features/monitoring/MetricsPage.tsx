import { paths } from '../../lib/paths.ts'
import { HealthScreenTabs } from '../../ui/HealthScreenTabs.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { MetricsFrame } from './MetricsFrame.tsx'
import { systemCharts } from './metric-charts.ts'
import { useMetrics } from './use-metrics.ts'

export function MetricsPage() {
  const metrics = useMetrics()
  return (
    <>
      <PageHeader title="System Health" summary="Load and capacity of the console" />
      <HealthScreenTabs current={paths.metrics} />
      <MetricsFrame metrics={metrics} charts={systemCharts} />
    </>
  )
}
