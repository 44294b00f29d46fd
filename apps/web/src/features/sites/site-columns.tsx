import type { Site } from '@agency/contract/types'
import { DateTime } from '../../ui/DateTime.tsx'
import type { Column } from '../../ui/data-table/columns.ts'
import { Person } from '../../ui/Person.tsx'
import { Measured } from './Measured.tsx'
import { storageMeasure, storageText } from './measured.ts'
import { Score } from './Score.tsx'
import { HealthChip, SiteStatusChip, SslChip } from './SiteChips.tsx'
import css from './sites.module.css'

export const siteColumns: readonly Column<Site>[] = [
  {
    id: 'site',
    header: 'Site',
    sort: 'site_name',
    share: '60%',
    cell: (site) => <Person name={site.site_name} detail={site.domain} />,
    text: (site) => `${site.site_name} (${site.domain})`,
  },
  {
    id: 'customer',
    header: 'Customer',
    sort: 'customer_name',
    share: '40%',
    cell: ({ customer_name }) =>
      customer_name ? <bdi>{customer_name}</bdi> : <span className={css['muted']}>None</span>,
    text: ({ customer_name }) => customer_name,
  },
  { id: 'status', header: 'Status', onCard: true, cell: (site) => <SiteStatusChip site={site} /> },
  { id: 'health', header: 'Health', onCard: true, cell: (site) => <HealthChip site={site} /> },
  { id: 'ssl', header: 'SSL', onCard: true, cell: (site) => <SslChip site={site} /> },
  {
    id: 'performance',
    header: 'Performance',
    sort: 'performance_score',
    sortFirst: 'descending',
    align: 'right',
    cell: (site) => <Score site={site} />,
  },
  {
    id: 'storage',
    header: 'Storage',
    sort: 'storage_used',
    sortFirst: 'descending',
    align: 'right',
    cell: (site) => (
      <Measured measure={() => storageMeasure(site)}>
        {site.storage_used === null ? <span className={css['muted']}>–</span> : storageText(site.storage_used)}
      </Measured>
    ),
  },
  {
    id: 'last-deploy',
    header: 'Last Deploy',
    sort: 'last_deployment',
    sortFirst: 'descending',
    align: 'right',
    cell: ({ last_deployment }) => <DateTime at={last_deployment} />,
  },
]
