import type { PurchasedSite } from '@agency/contract/types'
import type { ReactNode } from 'react'
import { phone, useMedia } from '../../lib/use-media.ts'
import type { Paging } from '../../ui/data-table/columns.ts'
import { Pager } from '../../ui/data-table/Pager.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { SearchField } from '../../ui/SearchField.tsx'
import { SkeletonLines } from '../../ui/Skeleton.tsx'
import css from './purchase-reset.module.css'
import { SelectionBar } from './SelectionBar.tsx'
import { SiteRow } from './SiteRow.tsx'
import type { SiteSelection } from './use-selection.ts'

type Props = {
  /** undefined while the first page loads. */
  sites: readonly PurchasedSite[] | undefined
  total: number | undefined
  /** Why rows are still missing. */
  missing: string | undefined
  /** Nothing could be loaded; the page says why. */
  failed: boolean
  fetching: boolean
  paging: Paging | undefined
  search: string
  onSearch: (search: string) => void
  open: string
  onToggle: (id: string) => void
  selection: SiteSelection
  denial: string | undefined
  onReset: (site: PurchasedSite) => void
  onBulkReset: () => void
}

export function SitesPanel(props: Props) {
  const { sites, total, paging, selection, denial } = props
  const isNarrow = useMedia(phone)
  const search = <SearchField label="Search site, id or email" value={props.search} onSearch={props.onSearch} />
  return (
    <Panel title="Purchased Sites" flush actions={isNarrow ? undefined : search}>
      {isNarrow ? <div className={css['search']}>{search}</div> : null}
      <SelectionBar sites={sites ?? []} selection={selection} denial={denial} onBulkReset={props.onBulkReset} />
      {sites && sites.length > 0 ? (
        <ul className={css['sites']} aria-label="Purchased sites" aria-busy={props.fetching}>
          {sites.map((site) => (
            <SiteRow
              key={site.id}
              site={site}
              selected={selection.ids.has(site.id)}
              open={props.open === site.id}
              denial={denial}
              onSelect={(selected) => selection.select([site], selected)}
              onToggle={() => props.onToggle(site.id)}
              onReset={() => props.onReset(site)}
            />
          ))}
        </ul>
      ) : (
        <div className={css['none']}>{noSites(props)}</div>
      )}
      {paging && sites && (sites.length > 0 || paging.hasPrevious) ? (
        <Pager paging={paging} shown={sites.length} total={total} />
      ) : null}
    </Panel>
  )
}

function noSites({ sites, failed, search, paging, missing }: Props): ReactNode {
  if (failed) return <EmptyState text="The purchased sites could not be loaded." />
  if (sites === undefined) return <SkeletonLines count={5} height={64} />
  if (paging?.hasPrevious) return <EmptyState text="No more sites on this page." />
  if (search)
    return (
      <EmptyState
        title="No purchased site matches"
        text={`No results for “${search}”. Reset sites are in the history.`}
      />
    )
  if (missing) return <EmptyState text={missing} />
  return <EmptyState title="No purchased sites" text="Sites appear here when a checkout is paid." />
}
