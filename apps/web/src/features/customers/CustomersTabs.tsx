import { paths } from '../../lib/paths.ts'
import { TabLinks } from '../../ui/TabLinks.tsx'

const tabs = [
  { href: paths.customers, label: 'Customers' },
  { href: paths.impersonation, label: 'Impersonation' },
]

export function CustomersTabs({ current }: { current: string }) {
  return <TabLinks label="Customers" tabs={tabs} current={current} />
}
