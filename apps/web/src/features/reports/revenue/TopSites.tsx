import type { TopSite } from '@agency/contract/types'
import type { ComponentProps } from 'react'
import { formatCount, formatPercent } from '../../../lib/format.ts'
import { paths } from '../../../lib/paths.ts'
import type { Column } from '../../../ui/data-table/columns.ts'
import { DataTable } from '../../../ui/data-table/DataTable.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { Money } from '../../../ui/Money.tsx'
import { Definitions } from '../Definitions.tsx'
import type { RowsHref } from '../figure-links.ts'
import css from '../reports.module.css'

type Props = {
  sites: readonly TopSite[]
  hrefOf: RowsHref
  definitions: ComponentProps<typeof Definitions>['definitions']
}

const columnsWith = (hrefOf: RowsHref): readonly Column<TopSite>[] => [
  { id: 'domain', header: 'Domain', share: '50%', cell: ({ domain }) => <bdi>{domain}</bdi>, text: nameOf },
  {
    ...{ id: 'customer', header: 'Customer', share: '50%' },
    cell: ({ customer }) => <bdi>{customer ?? 'No customer'}</bdi>,
    text: ({ customer }) => customer,
  },
  {
    ...{ id: 'visits', header: 'Visits', align: 'right', onCard: true },
    cell: ({ visits, visits_reason }) =>
      visits === null ? <span title={visits_reason ?? undefined}>Unavailable</span> : formatCount(visits),
  },
  {
    ...{ id: 'revenue', header: 'Revenue', align: 'right', onCard: true },
    cell: ({ site_id, revenue, currency }) => (
      <a href={hrefOf('site_revenue', currency, { site: site_id })}>
        <Money amount={revenue} currency={currency} />
      </a>
    ),
  },
  {
    ...{ id: 'conversion_rate', header: 'Conversion', align: 'right', onCard: true },
    cell: ({ conversion_rate, conversion_reason }) =>
      conversion_rate === null ? (
        <span title={conversion_reason ?? undefined}>Unavailable</span>
      ) : (
        formatPercent(conversion_rate)
      ),
  },
]

function nameOf({ domain }: TopSite): string {
  return domain
}

export function TopSites({ sites, hrefOf, definitions }: Props) {
  return (
    <section className={css['section']} aria-label="Top Performing Sites">
      <header>
        <h2>Top Performing Sites</h2>
        <Definitions of="Top Performing Sites" definitions={definitions} figures={['top_sites']} />
      </header>
      <DataTable
        label="Top Performing Sites"
        columns={columnsWith(hrefOf)}
        rows={sites}
        keyOf={({ site_id }) => site_id}
        nameOf={nameOf}
        hrefOf={({ site_id }) => paths.site(site_id)}
        empty={<EmptyState text="No revenue from sites in this range." />}
      />
    </section>
  )
}
