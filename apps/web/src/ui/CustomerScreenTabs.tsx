import { paths } from '../lib/paths.ts'
import { TabLinks } from './TabLinks.tsx'

const tabs = [
  { href: paths.customers, label: 'Customers' },
  { href: paths.impersonation, label: 'Impersonation' },
]

export function CustomerScreenTabs({ current }: { current: string }) {
  return <TabLinks label="Customers" tabs={tabs} current={current} />
}
