import type { Deployment } from '@agency/contract/types'
import { buildWords, deploymentStatusChips } from '../../lib/deployment-status.ts'
import { nameOf } from '../../lib/names.ts'
import { paths } from '../../lib/paths.ts'
import { useMayOpen } from '../../lib/screen-access.ts'
import { DateTime } from '../../ui/DateTime.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { LiveMark } from '../../ui/LiveMark.tsx'
import { StatusChip } from '../../ui/StatusChip.tsx'
import { DashboardPanel } from './DashboardPanel.tsx'
import css from './dashboard.module.css'
import type { Dashboard } from './use-dashboard.ts'

const shown = 5
const headers = ['Site', 'Customer', 'Status', 'Started']

export function DeploymentsPanel({ board }: { board: Dashboard }) {
  return (
    <DashboardPanel
      title="Recent Deployments"
      section="deployments"
      board={board}
      flush
      footer={<a href={paths.deployments}>All deployments</a>}
    >
      {({ deployments }) =>
        deployments.length === 0 ? (
          <EmptyState compact text="No deployments yet." />
        ) : (
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
            <tbody>
              {deployments.slice(0, shown).map((deployment) => (
                <Row key={deployment.id} deployment={deployment} />
              ))}
            </tbody>
          </table>
        )
      }
    </DashboardPanel>
  )
}

function Row({ deployment }: { deployment: Deployment }) {
  const { id, site_name, customer_id, customer_name, status, started_at, is_live } = deployment
  const { prefix, version, message } = buildWords(deployment)
  const build = [prefix + (version ?? ''), message].filter(Boolean).join(' · ')
  return (
    <tr>
      <td>
        <a href={paths.deployment(id)} title={site_name}>
          <bdi>{site_name}</bdi>
        </a>
        {build ? (
          <bdi className={css['build']} title={build}>
            {build}
          </bdi>
        ) : null}
      </td>
      <td>{customer_id === null ? 'None' : <Owner id={customer_id} name={customer_name} />}</td>
      <td>
        <span className={css['marks']}>
          <StatusChip {...deploymentStatusChips[status]} />
          {is_live ? <LiveMark /> : null}
        </span>
      </td>
      <td>
        <DateTime at={started_at} show="relative" none="Not yet" />
      </td>
    </tr>
  )
}

function Owner({ id, name }: { id: string; name: string | null }) {
  const shownName = nameOf({ id, name })
  const mayOpen = useMayOpen()
  if (!mayOpen(paths.customer(id))) return <bdi title={shownName}>{shownName}</bdi>
  return (
    <a href={paths.customer(id)} title={shownName}>
      <bdi>{shownName}</bdi>
    </a>
  )
}
