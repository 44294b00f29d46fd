import { paths } from '../../lib/paths.ts'
import { DashboardPanel } from './DashboardPanel.tsx'
import { NotConnected } from './NotConnected.tsx'
import type { Dashboard } from './use-dashboard.ts'

export function DomainsPanel({ board }: { board: Dashboard }) {
  return (
    <DashboardPanel title="Cloudflare Domains" section="domains" board={board} lines={3}>
      {({ reason }) => (
        <NotConnected
          reason={`${reason.replace(/\.$/, '')}. Reading domains is not built yet, so there is nothing to set up.`}
          href={paths.domains}
          link="Cloudflare Domains"
        />
      )}
    </DashboardPanel>
  )
}
