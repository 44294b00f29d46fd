import { paths } from '../lib/paths.ts'
import { TabLinks } from './TabLinks.tsx'

const tabs = [
  { href: paths.users, label: 'Users' },
  { href: paths.audit, label: 'Audit Logs' },
  { href: paths.security, label: 'Security' },
]

export function AdminScreenTabs({ current }: { current: string }) {
  return <TabLinks label="User & Role Management" tabs={tabs} current={current} />
}
