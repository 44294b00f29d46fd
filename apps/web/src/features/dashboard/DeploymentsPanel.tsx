import { paths } from '../../lib/paths.ts'
import { DashboardPanel } from './DashboardPanel.tsx'
import css from './dashboard.module.css'
import { NotConnected } from './NotConnected.tsx'
import type { Dashboard } from './use-dashboard.ts'

const headers = ['Site', 'Customer', 'Status', 'Started']

export function DeploymentsPanel({ board }: { board: Dashboard }) {
  return (
    <DashboardPanel title="Recent Deployments" section="deployments" board={board} flush lines={3}>
      {({ reason }) => (
        <>
          <table className={css['table']}>
            <thead>
              <tr>
                {headers.map((header) => (
                  <th key={header} scope="col">
                    {header}
                  </th>
                ))}
              </tr>
            </thead>
          </table>
          <NotConnected reason={reason} href={paths.deployments} link="Deployment Status" />
        </>
      )}
    </DashboardPanel>
  )
}
