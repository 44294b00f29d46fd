import * as impersonation from '@agency/contract/descriptors/impersonation'
import type { ViewedSite } from '@agency/contract/types'
import { useQuery } from '@tanstack/react-query'
import { q } from '../../lib/api.ts'
import { siteStatusChips } from '../../lib/site-status.ts'
import { DateTime } from '../../ui/DateTime.tsx'
import type { Column } from '../../ui/data-table/columns.ts'
import { DataTable } from '../../ui/data-table/DataTable.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ListFailure } from '../../ui/ListFailure.tsx'
import { Person } from '../../ui/Person.tsx'
import { ProductionLink } from '../../ui/ProductionLink.tsx'
import { StatusChip } from '../../ui/StatusChip.tsx'

const columns: readonly Column<ViewedSite>[] = [
  {
    id: 'site',
    header: 'Site',
    share: '100%',
    cell: (site) => <Person name={site.site_name} detail={site.domain} />,
    text: (site) => `${site.site_name} (${site.domain})`,
  },
  { id: 'status', header: 'Status', onCard: true, cell: ({ status }) => <StatusChip {...siteStatusChips[status]} /> },
  {
    id: 'address',
    header: 'Address',
    onCard: true,
    cell: ({ deployment_url }) => <ProductionLink address={deployment_url} />,
  },
  {
    id: 'last-deploy',
    header: 'Last Deploy',
    align: 'right',
    onCard: true,
    cell: ({ last_deployment }) => <DateTime at={last_deployment} />,
  },
  {
    id: 'since',
    header: 'Since',
    align: 'right',
    cell: ({ created_at }) => <DateTime at={created_at} />,
  },
]

const keyOf = (site: ViewedSite) => site.id
const nameOf = (site: ViewedSite) => site.site_name

export function ViewSites({ id }: { id: string }) {
  const { data, error, dataUpdatedAt, refetch } = useQuery(q(impersonation.viewSites, { params: { id } }))
  const failure = (
    <ListFailure error={error} what="the sites" at={data ? dataUpdatedAt : null} onRetry={() => void refetch()} />
  )
  return (
    <>
      {data ? failure : null}
      <DataTable
        label="Sites"
        columns={columns}
        rows={data?.sites}
        keyOf={keyOf}
        nameOf={nameOf}
        skeletonRows={3}
        empty={<EmptyState text="No sites yet." />}
        error={error && !data ? failure : undefined}
      />
    </>
  )
}
