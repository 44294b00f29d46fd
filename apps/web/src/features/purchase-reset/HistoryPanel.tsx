import type { PurchaseReset } from '@agency/contract/types'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { formatCount } from '../../lib/format.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { SkeletonLines } from '../../ui/Skeleton.tsx'
import { HistoryEntry } from './HistoryEntry.tsx'
import css from './purchase-reset.module.css'
import { historyList, type ResetSearch } from './purchase-reset-list.ts'

type Props = {
  state: ResetSearch
  denial: string | undefined
  onPage: (change: Pick<ResetSearch, 'older' | 'newer'>) => void
  onUndo: (entry: PurchaseReset) => void
}

export function HistoryPanel({ state, denial, onPage, onUndo }: Props) {
  const list = useQuery({ ...historyList(state), placeholderData: keepPreviousData })
  const { data } = list
  const isBackward = state.older === '' && state.newer !== ''
  // Paging backwards, `has_more` speaks of the entries further back.
  const hasOlder = data !== undefined && (isBackward || data.has_more)
  const hasNewer = data !== undefined && (isBackward ? data.has_more : state.older !== '')
  return (
    <Panel
      title="Reset History"
      flush
      asOf={data ? list.dataUpdatedAt : null}
      error={list.error}
      onRetry={() => void list.refetch()}
      loading={!data && !list.error}
      skeleton={
        <div className={css['none']}>
          <SkeletonLines count={4} height={72} />
        </div>
      }
    >
      {data && data.resets.length > 0 ? (
        <ul className={css['entries']} aria-label="Reset history">
          {data.resets.map((entry) => (
            <HistoryEntry key={entry.id} entry={entry} denial={denial} onUndo={() => onUndo(entry)} />
          ))}
        </ul>
      ) : (
        <EmptyState compact text={state.search ? `No resets match “${state.search}”.` : 'No resets yet.'} />
      )}
      {hasOlder || hasNewer ? (
        <nav className={css['pages']} aria-label="Pages of the history">
          <span>{formatCount(data?.total ?? 0)} entries</span>
          <IconButton
            small
            label="Newer entries"
            disabled={!hasNewer}
            onClick={() => onPage({ older: '', newer: data?.resets[0]?.id ?? '' })}
          >
            <Icon name="chevronLeft" size={24} />
          </IconButton>
          <IconButton
            small
            label="Older entries"
            disabled={!hasOlder}
            onClick={() => onPage({ newer: '', older: data?.resets.at(-1)?.id ?? '' })}
          >
            <Icon name="chevronRight" size={24} />
          </IconButton>
        </nav>
      ) : null}
    </Panel>
  )
}
