import { paths } from '../../lib/paths.ts'
import { TabLinks } from '../../ui/TabLinks.tsx'

const tabs = [
  { href: paths.monitor, label: 'Overview' },
  { href: paths.monitoringServices, label: 'Services' },
  { href: paths.monitoringSites, label: 'Sites' },
  { href: paths.monitoringPerformance, label: 'Performance' },
]

export function MonitoringTabs({ current }: { current: string }) {
  return <TabLinks label="Monitoring" tabs={tabs} current={current} />
}
