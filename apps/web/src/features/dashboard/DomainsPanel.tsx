import { paths } from '../../lib/paths.ts'
import { DashboardPanel } from './DashboardPanel.tsx'
import { NotConnected } from './NotConnected.tsx'
import type { Dashboard } from './use-dashboard.ts'

export function DomainsPanel({ board }: { board: Dashboard }) {
  return (
    <DashboardPanel title="Cloudflare Domains" section="domains" board={board} lines={3}>
      {({ reason }) => <NotConnected reason={reason} href={paths.domains} link="Cloudflare Domains" />}
    </DashboardPanel>
  )
}
