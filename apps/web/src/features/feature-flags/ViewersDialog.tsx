import * as featureFlags from '@agency/contract/descriptors/feature-flags'
import type { FeatureFlag, FlagViewer } from '@agency/contract/types'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../lib/api.ts'
import { formatCount } from '../../lib/format.ts'
import { paths } from '../../lib/paths.ts'
import { DetailsDialog } from '../../ui/DetailsDialog.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { FilterSelect } from '../../ui/FilterField.tsx'
import { PagedSection } from '../../ui/PagedSection.tsx'
import { SearchField } from '../../ui/SearchField.tsx'
import { StatusChip } from '../../ui/StatusChip.tsx'
import { viewerChips } from './flag-words.ts'
import css from './flags.module.css'

type Sees = FlagViewer['sees'] | 'all'

function useViewers(id: string, search: string, sees: Sees) {
  const endpoint = featureFlags.listFlagViewers
  return useInfiniteQuery({
    queryKey: [endpoint.path, id, search, sees],
    queryFn: ({ pageParam, signal }) => {
      const query = { search: search || undefined, sees, starting_after: pageParam }
      return call(endpoint, { params: { id }, query }, { signal })
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ viewers, has_more }) => (has_more ? viewers.at(-1)?.id : undefined),
    placeholderData: keepPreviousData,
    meta: { topics: endpoint.topics },
  })
}

/** Of every site: whether it shows what the flag is about, and why. */
export function ViewersDialog({ flag, onClose }: { flag: FeatureFlag; onClose: () => void }) {
  const [search, setSearch] = useState('')
  const [sees, setSees] = useState<Sees>('all')
  const viewers = useViewers(flag.id, search, sees)
  const pages = viewers.data?.pages
  const counts = pages?.[0]?.counts
  const rows = pages?.flatMap((page) => page.viewers)
  const choices = [
    { value: 'all', label: 'All sites' },
    ...(['yes', 'part', 'no'] as const).map((value) => ({
      value,
      label: counts ? `${viewerChips[value].label} (${formatCount(counts[value])})` : viewerChips[value].label,
    })),
  ]
  return (
    <DetailsDialog title={`Who sees ${flag.name} now`} subtitle={counts && summary(counts)} onClose={onClose}>
      <div className={css['bar']}>
        <SearchField label="Search site, domain or customer" value={search} onSearch={setSearch} />
        <FilterSelect label="Show" value={sees} choices={choices} onChange={(value) => setSees(value as Sees)} />
      </div>
      <PagedSection
        count={rows?.length}
        error={viewers.error}
        skeleton={{ count: 5, height: 48 }}
        empty={<EmptyState compact text={search || sees !== 'all' ? 'No sites match' : 'No sites yet'} />}
        hasMore={viewers.hasNextPage}
        isLoadingMore={viewers.isFetchingNextPage}
        onMore={() => void viewers.fetchNextPage()}
        onRetry={() => void (viewers.isFetchNextPageError ? viewers.fetchNextPage() : viewers.refetch())}
      >
        <ul className={css['viewers']} aria-label="Sites">
          {rows?.map((viewer) => (
            <Viewer key={viewer.id} viewer={viewer} />
          ))}
        </ul>
      </PagedSection>
    </DetailsDialog>
  )
}

const summary = ({ yes, part, no }: Record<FlagViewer['sees'], number>): string =>
  `${formatCount(yes)} of ${formatCount(yes + part + no)} sites${part > 0 ? `, ${formatCount(part)} more in part` : ''}`

function Viewer({ viewer }: { viewer: FlagViewer }) {
  const { id, site_name, domain, customer_name, sees, reason } = viewer
  return (
    <li className={css['viewer']}>
      <span className={css['words']}>
        <a href={paths.site(id)}>
          <bdi>{site_name}</bdi>
        </a>
        <span className={css['muted']}>
          <bdi>{domain}</bdi>
          {customer_name === null ? null : (
            <>
              {' · '}
              <bdi>{customer_name}</bdi>
            </>
          )}
        </span>
      </span>
      <span className={css['why']}>
        <StatusChip {...viewerChips[sees]} />
        <span className={css['muted']}>{reason}</span>
      </span>
    </li>
  )
}
