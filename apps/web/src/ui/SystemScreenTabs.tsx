import { paths } from '../lib/paths.ts'
import { TabLinks } from './TabLinks.tsx'

const tabs = [
  { href: paths.features, label: 'Feature Flags' },
  { href: paths.apiKeys, label: 'API Keys' },
  { href: paths.config, label: 'System Config' },
]

export function SystemScreenTabs({ current }: { current: string }) {
  return <TabLinks label="System Configuration" tabs={tabs} current={current} />
}
