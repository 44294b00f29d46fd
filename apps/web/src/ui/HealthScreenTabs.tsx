import { paths } from '../lib/paths.ts'
import { TabLinks } from './TabLinks.tsx'

const tabs = [
  { href: paths.health, label: 'Health' },
  { href: paths.metrics, label: 'Metrics' },
]

export function HealthScreenTabs({ current }: { current: string }) {
  return <TabLinks label="System Health" tabs={tabs} current={current} />
}
