import * as sites from '@agency/contract/descriptors/sites'
import type { Site } from '@agency/contract/types'
import { useQuery } from '@tanstack/react-query'
import { q } from '../../lib/api.ts'
import { formatCount } from '../../lib/format.ts'
import { paths } from '../../lib/paths.ts'
import { useDenial } from '../../lib/session.ts'
import { healthChips, providerChips, siteStatusChips, sslChips } from '../../lib/site-status.ts'
import { DateTime } from '../../ui/DateTime.tsx'
import type { Column } from '../../ui/data-table/columns.ts'
import { DataTable } from '../../ui/data-table/DataTable.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ListFailure } from '../../ui/ListFailure.tsx'
import { Person } from '../../ui/Person.tsx'
import { StatusChip } from '../../ui/StatusChip.tsx'
import css from './customers.module.css'

const columns: readonly Column<Site>[] = [
  {
    id: 'site',
    header: 'Site',
    share: '100%',
    cell: (site) => <Person name={site.site_name} detail={site.domain} />,
    text: (site) => `${site.site_name} (${site.domain})`,
  },
  { id: 'status', header: 'Status', onCard: true, cell: (site) => <Status site={site} /> },
  {
    id: 'health',
    header: 'Health',
    onCard: true,
    cell: ({ health_status }) => <StatusChip {...healthChips[health_status]} />,
  },
  { id: 'ssl', header: 'SSL', onCard: true, cell: ({ ssl_status }) => <StatusChip {...sslChips[ssl_status]} /> },
  {
    id: 'last-deploy',
    header: 'Last Deploy',
    align: 'right',
    cell: ({ last_deployment }) => <DateTime at={last_deployment} />,
  },
]

const keyOf = (site: Site) => site.id
const nameOf = (site: Site) => site.site_name
const hrefOf = (site: Site) => paths.site(site.id)
const most = 100

export function SitesTab({ customerId }: { customerId: string }) {
  const denial = useDenial(sites.listSites)
  const list = useQuery({
    ...q(sites.listSites, { query: { customer_id: customerId, sort: 'site_name', limit: most } }),
    enabled: denial === undefined,
  })
  if (denial) return <EmptyState compact title="You may not see sites" text={denial} />
  const rows = list.data?.sites
  const failure = (
    <ListFailure
      error={list.error}
      what="the sites"
      at={rows ? list.dataUpdatedAt : null}
      onRetry={() => void list.refetch()}
    />
  )
  return (
    <>
      {rows ? failure : null}
      <DataTable
        label="Sites"
        columns={columns}
        rows={rows}
        keyOf={keyOf}
        nameOf={nameOf}
        hrefOf={hrefOf}
        skeletonRows={3}
        empty={<EmptyState compact text="No sites yet. Assign sites to this customer on the Sites screen." />}
        error={list.isError && !rows ? failure : undefined}
      />
      {list.data?.has_more ? <p className={css['muted']}>The first {formatCount(most)} are shown.</p> : null}
    </>
  )
}

function Status({ site }: { site: Site }) {
  const beside = providerChips[site.at_provider]
  return (
    <span className={css['chips']}>
      <StatusChip {...siteStatusChips[site.status]} />
      {beside ? <StatusChip {...beside} /> : null}
    </span>
  )
}
