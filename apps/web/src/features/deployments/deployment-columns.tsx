import type { Deployment } from '@agency/contract/types'
import { buildWords } from '../../lib/deployment-status.ts'
import { paths } from '../../lib/paths.ts'
import { DateTime } from '../../ui/DateTime.tsx'
import type { Column } from '../../ui/data-table/columns.ts'
import { Person } from '../../ui/Person.tsx'
import { DeploymentChip } from './DeploymentChip.tsx'
import { Duration } from './Duration.tsx'
import { kindLabels, ownerOf, requesterOf } from './deployment-words.ts'
import css from './deployments.module.css'

const site: Column<Deployment> = {
  id: 'site',
  header: 'Site',
  share: '34%',
  cell: (row) => <Person name={row.site_name} detail={row.site_domain} />,
}

const customer: Column<Deployment> = {
  id: 'customer',
  header: 'Customer',
  share: '22%',
  cell: (row) => <CustomerLink row={row} />,
}

const build: Column<Deployment> = {
  id: 'version',
  header: 'Version',
  share: '24%',
  cell: (row) => <Build row={row} />,
}

const rest: readonly Column<Deployment>[] = [
  { id: 'status', header: 'Status', onCard: true, cell: (row) => <DeploymentChip deployment={row} /> },
  build,
  {
    id: 'started',
    header: 'Started',
    align: 'right',
    onCard: true,
    cell: (row) => <DateTime at={row.started_at} show="relative" none="Not yet" />,
  },
  { id: 'duration', header: 'Duration', align: 'right', onCard: true, cell: (row) => <Duration deployment={row} /> },
  {
    id: 'requested',
    header: 'Requested by',
    share: '20%',
    cell: (row) => <Person name={requesterOf(row)} detail={row.reason} />,
  },
]

export const deploymentColumns: readonly Column<Deployment>[] = [site, customer, ...rest]

/** In the dialog of a site, whose name stands above it. */
export const siteDeploymentColumns: readonly Column<Deployment>[] = [
  { ...build, header: 'Version', share: '60%' },
  ...rest.filter(({ id }) => id !== 'version'),
]

/** "Rollback to 3f2a91c", and below it what that commit says. */
function Build({ row }: { row: Deployment }) {
  const { prefix, version, message } = buildWords(row)
  return (
    <span className={css['version']} title={message ?? undefined}>
      <span>
        {prefix}
        <code className={css['code']}>{version ?? '–'}</code>
        {row.kind === 'retry' ? <span className={css['muted']}> {kindLabels[row.kind]}</span> : null}
      </span>
      {message ? <bdi className={css['message']}>{message}</bdi> : null}
    </span>
  )
}

function CustomerLink({ row }: { row: Deployment }) {
  const name = ownerOf(row)
  if (name === null || row.customer_id === null) return <span className={css['none']}>None</span>
  return (
    <a href={paths.customer(row.customer_id)} className={css['owner']} title={name}>
      <bdi>{name}</bdi>
    </a>
  )
}
