import type { ReactNode } from 'react'
import { paths } from '../../lib/paths.ts'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { TabLinks } from '../../ui/TabLinks.tsx'
import type { AlertsTabName } from './alerts-search.ts'

const addresses: Record<AlertsTabName, string> = {
  alerts: paths.alerts,
  rules: paths.alertRules,
  maintenance: paths.maintenance,
  channels: paths.alertChannels,
  status: paths.statusPages,
}
const tabs = [
  { href: addresses.alerts, label: 'Alerts' },
  { href: addresses.rules, label: 'Rules' },
  { href: addresses.maintenance, label: 'Maintenance' },
  { href: addresses.channels, label: 'Channels' },
  { href: addresses.status, label: 'Status pages' },
]

type Props = { tab: AlertsTabName; summary?: string | undefined; actions?: ReactNode }

export function AlertsHeader({ tab, summary, actions }: Props) {
  return (
    <>
      <PageHeader title="Alerts" summary={summary} actions={actions} />
      <TabLinks label="Alerts" tabs={tabs} current={addresses[tab]} />
    </>
  )
}
