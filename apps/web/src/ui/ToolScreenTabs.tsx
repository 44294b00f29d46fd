import { paths } from '../lib/paths.ts'
import { TabLinks } from './TabLinks.tsx'

const tabs = [
  { href: paths.database, label: 'Database' },
  { href: paths.cache, label: 'Cache' },
  { href: paths.queue, label: 'Queues' },
  { href: paths.toolFeatures, label: 'Feature Flags' },
  { href: paths.toolApiKeys, label: 'API Keys' },
  { href: paths.backup, label: 'Backup' },
]

export function ToolScreenTabs({ current }: { current: string }) {
  return <TabLinks label="Admin Tools" tabs={tabs} current={current} />
}
