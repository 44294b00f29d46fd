import { paths } from '../lib/paths.ts'
import { TabLinks } from './TabLinks.tsx'

const tabs = [
  { href: paths.sites, label: 'Sites' },
  { href: paths.deployments, label: 'Deployments' },
]

export function SiteScreenTabs({ current }: { current: string }) {
  return <TabLinks label="Site Management" tabs={tabs} current={current} />
}
