import type { UsageSite } from '@agency/contract/types'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ComponentProps } from 'react'
import { formatCount, formatNumber } from '../../../lib/format.ts'
import { paths } from '../../../lib/paths.ts'
import { useSearchState } from '../../../lib/use-search-state.ts'
import type { Column } from '../../../ui/data-table/columns.ts'
import { DataTable } from '../../../ui/data-table/DataTable.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { FilterSelect, FilterText } from '../../../ui/FilterField.tsx'
import { ListFailure } from '../../../ui/ListFailure.tsx'
import { Money } from '../../../ui/Money.tsx'
import { Definitions } from '../Definitions.tsx'
import css from '../reports.module.css'
import { type ReportsSearch, reportsSearch, sitesPerPage } from '../reports-search.ts'

const nearPercent = 80
const unknown = 'Unavailable'

function limitText({ used, limit, percent }: UsageSite['bandwidth'], unit: string, digits: number) {
  if (used === null) return unknown
  const text = `${formatNumber(used, digits)} ${unit}`
  if (limit === null || percent === null) return text
  const whole = `${text} of ${formatNumber(limit, digits)}`
  return percent >= nearPercent ? <span className={css['near']}>{`${whole} (${formatNumber(percent)}%)`}</span> : whole
}

const money =
  (name: 'price' | 'fees' | 'refunds' | 'hosting' | 'margin') =>
  ({ currency, [name]: amount, is_loss }: UsageSite) => {
    if (amount === null || currency === null) return unknown
    const figure = <Money amount={amount} currency={currency} />
    return name === 'margin' && is_loss ? <span className={css['loss']}>{figure}</span> : figure
  }

const columns: readonly Column<UsageSite>[] = [
  {
    id: 'site_name',
    header: 'Site',
    cell: ({ site_name }) => <bdi>{site_name}</bdi>,
    text: nameOf,
    share: '50%',
    sort: 'site_name',
  },
  {
    ...{ id: 'customer', header: 'Customer', share: '50%' },
    cell: ({ customer }) => <bdi>{customer ?? 'No customer'}</bdi>,
    text: ({ customer }) => customer,
  },
  { id: 'plan', header: 'Plan', cell: ({ plan }) => plan ?? 'No plan' },
  {
    ...{
      id: 'bandwidth',
      header: 'Bandwidth',
      align: 'right',
      sort: 'bandwidth',
      sortFirst: 'descending',
      onCard: true,
    },
    cell: ({ bandwidth }) => limitText(bandwidth, 'GB', 2),
  },
  {
    ...{ id: 'storage', header: 'Storage', align: 'right', sort: 'storage', sortFirst: 'descending' },
    cell: ({ storage }) => limitText(storage, 'MB', 1),
  },
  {
    ...{ id: 'requests', header: 'Requests', align: 'right', sort: 'requests', sortFirst: 'descending' },
    cell: ({ requests }) => (requests === null ? unknown : formatCount(requests)),
  },
  {
    ...{ id: 'visits', header: 'Visits', align: 'right' },
    cell: ({ visits }) => (visits === null ? unknown : formatCount(visits)),
  },
  {
    ...{ id: 'builds', header: 'Builds', align: 'right' },
    cell: ({ deployments, build_minutes }) =>
      deployments === 0 ? '0' : `${formatCount(deployments)} (${formatNumber(build_minutes, 1)} min)`,
  },
  {
    id: 'price',
    header: 'Charged',
    align: 'right',
    sort: 'price',
    sortFirst: 'descending',
    onCard: true,
    cell: money('price'),
  },
  { id: 'fees', header: 'Fees', align: 'right', cell: money('fees') },
  { id: 'refunds', header: 'Refunds', align: 'right', cell: money('refunds') },
  { id: 'hosting', header: 'Hosting', align: 'right', cell: money('hosting') },
  { id: 'margin', header: 'Margin', align: 'right', sort: 'margin', onCard: true, cell: money('margin') },
]

function nameOf({ site_name }: UsageSite): string {
  return site_name
}
const keyOf = ({ site_id }: UsageSite) => site_id
const hrefOf = ({ site_id }: UsageSite) => paths.site(site_id)

type Answer = {
  sites: readonly UsageSite[]
  total: number
  has_more: boolean
  counts: { sites: number; upsell: number; loss: number }
  profit: unknown
}
type Props = { query: UseQueryResult<Answer>; definitions: ComponentProps<typeof Definitions>['definitions'] }

/** How many there are, once that is known. */
const counted = (label: string, count: number | undefined): string =>
  count === undefined ? label : `${label} (${formatCount(count)})`

/** What each site used and what it leaves: upsell fits and loss makers can be looked at alone. */
export function UsageSites({ query, definitions }: Props) {
  const { state, set } = useSearchState(reportsSearch)
  const counts = query.data?.counts
  const offset = Math.max(0, state.skip ?? 0)
  const filter = (change: Partial<ReportsSearch>) => set({ ...change, skip: null })
  return (
    <section className={css['section']} aria-label="Usage and profit by site">
      <header>
        <h2>Usage and profit by site</h2>
        <Definitions of="Usage and profit" definitions={definitions} />
      </header>
      <ListFailure
        error={query.error}
        what="the sites"
        at={query.data ? query.dataUpdatedAt : null}
        onRetry={() => void query.refetch()}
      />
      <DataTable
        label="Usage and profit by site"
        columns={columns}
        rows={query.data?.sites}
        keyOf={keyOf}
        nameOf={nameOf}
        hrefOf={hrefOf}
        fetching={query.isPlaceholderData}
        unit={['site', 'sites']}
        total={query.data?.total ?? null}
        sort={state.sort}
        onSort={(sort) => filter({ sort: sort as ReportsSearch['sort'] })}
        toolbar={
          <div className={css['bar']}>
            <FilterSelect
              label="Show"
              value={state.show}
              choices={[
                { value: 'all', label: counted('All sites', counts?.sites) },
                { value: 'upsell', label: counted('Upsell fits', counts?.upsell) },
                ...(query.data?.profit === null
                  ? []
                  : [{ value: 'loss', label: counted('Loss makers', counts?.loss) }]),
              ]}
              onChange={(show) => filter({ show: show as ReportsSearch['show'] })}
            />
            <FilterText label="Search site" value={state.search} onChange={(search) => filter({ search })} />
          </div>
        }
        paging={{
          ...{ size: sitesPerPage, sizes: [sitesPerPage], offset, hasPrevious: offset > 0 },
          hasNext: query.data?.has_more ?? false,
          onNext: () => set({ skip: offset + sitesPerPage }),
          onPrevious: () => set({ skip: Math.max(0, offset - sitesPerPage) || null }),
          onSize: () => {},
        }}
        empty={<EmptyState text={emptyText(state)} />}
      />
    </section>
  )
}

const emptyText = ({ show, search }: ReportsSearch): string => {
  if (search !== '') return 'No site matches the search.'
  if (show === 'upsell') return 'No sites near their plan limits.'
  return show === 'loss' ? 'No loss makers.' : 'No sites yet.'
}
