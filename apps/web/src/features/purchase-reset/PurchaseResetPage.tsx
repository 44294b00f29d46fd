import * as purchaseReset from '@agency/contract/descriptors/purchase-reset'
import type { PurchasedSite, PurchaseReset } from '@agency/contract/types'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { formatCount } from '../../lib/format.ts'
import { missingOf } from '../../lib/mirrored.ts'
import { paths } from '../../lib/paths.ts'
import type { ApiError } from '../../lib/problems.ts'
import { useDenial } from '../../lib/session.ts'
import { usePaging } from '../../lib/use-paging.ts'
import { useSearchState } from '../../lib/use-search-state.ts'
import { Age } from '../../ui/Age.tsx'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ErrorPanel } from '../../ui/ErrorPanel.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { HistoryPanel } from './HistoryPanel.tsx'
import { OutcomeNotice } from './OutcomeNotice.tsx'
import { bulkOutcome, nothingSelected, type Outcome, resetDone, undone } from './outcome.ts'
import css from './purchase-reset.module.css'
import { resetSearch, sitesList, sitesPaging } from './purchase-reset-list.ts'
import { SitesPanel } from './SitesPanel.tsx'
import { useSelection } from './use-selection.ts'

const ResetDialog = lazy(() => import('./ResetDialog.tsx').then((m) => ({ default: m.ResetDialog })))
const BulkResetDialog = lazy(() => import('./ResetDialog.tsx').then((m) => ({ default: m.BulkResetDialog })))
const UndoDialog = lazy(() => import('./UndoDialog.tsx').then((m) => ({ default: m.UndoDialog })))

type Act = { kind: 'reset'; site: PurchasedSite } | { kind: 'bulk' } | { kind: 'undo'; reset: PurchaseReset }

const title = 'Purchase Status Management'

export function PurchaseResetPage() {
  const denial = useDenial(purchaseReset.listPurchasedSites)
  if (!denial) return <PurchaseStatus />
  return (
    <>
      <PageHeader title={title} />
      <EmptyState title="You may not see purchases" text={denial} />
    </>
  )
}

function PurchaseStatus() {
  const { state, set } = useSearchState(resetSearch)
  const paging = usePaging(sitesPaging)
  const list = useQuery({ ...sitesList(paging.query, state), placeholderData: keepPreviousData })
  const denial = useDenial(purchaseReset.resetPurchase)
  const selection = useSelection()
  const [act, setAct] = useState<Act>()
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const sites = list.data?.sites

  const tell = (told: Omit<Outcome, 'count'>) => {
    setAct(undefined)
    // What was just written stands on the first page of the history.
    set({ older: '', newer: '' })
    setOutcome((before) => ({ ...told, count: (before?.count ?? 0) + 1 }))
  }
  const begin = (next: Act) => {
    setOutcome(null)
    setAct(next)
  }

  return (
    <>
      <PageHeader
        title={title}
        summary={list.data ? summaryOf(list.data.total, state.search) : ''}
        actions={<Button href={paths.purchases}>Recent Purchases</Button>}
      />
      <OutcomeNotice
        outcome={outcome}
        onUndo={(reset) => begin({ kind: 'undo', reset })}
        onClose={() => setOutcome(null)}
      />
      <Failure error={list.error} at={sites ? list.dataUpdatedAt : null} onRetry={() => void list.refetch()} />
      <div className={css['columns']}>
        <SitesPanel
          sites={sites}
          total={list.data?.total}
          missing={missingOf(list.data)}
          failed={list.isError && !sites}
          fetching={list.isPlaceholderData || (list.isError && list.isFetching)}
          paging={
            list.data &&
            paging.pagingFor(
              list.data.sites.map(({ id }) => id),
              list.data.has_more,
            )
          }
          search={state.search}
          onSearch={(search) => set({ search, older: '', newer: '' })}
          open={state.open}
          onToggle={(id) => set({ open: state.open === id ? '' : id }, 'push')}
          selection={selection}
          denial={denial}
          onReset={(site) => begin({ kind: 'reset', site })}
          onBulkReset={() => (selection.ids.size === 0 ? tell(nothingSelected) : begin({ kind: 'bulk' }))}
        />
        <HistoryPanel state={state} denial={denial} onPage={set} onUndo={(reset) => begin({ kind: 'undo', reset })} />
      </div>
      <Suspense>
        <ActDialog
          act={act}
          selected={[...selection.ids]}
          onClose={() => setAct(undefined)}
          onReset={(reset) => {
            selection.clear()
            tell(resetDone(reset))
          }}
          onBulk={(resets, refused) => {
            if (resets.length > 0) selection.clear()
            tell(bulkOutcome(resets, refused))
          }}
          onUndo={(reset) => tell(undone(reset))}
        />
      </Suspense>
    </>
  )
}

type DialogProps = {
  act: Act | undefined
  selected: readonly string[]
  onClose: () => void
  onReset: (reset: PurchaseReset) => void
  onBulk: (...outcome: Parameters<typeof bulkOutcome>) => void
  onUndo: (reset: PurchaseReset) => void
}

function ActDialog({ act, selected, onClose, onReset, onBulk, onUndo }: DialogProps) {
  if (act?.kind === 'reset') return <ResetDialog site={act.site} onDone={onReset} onClose={onClose} />
  if (act?.kind === 'bulk') return <BulkResetDialog ids={selected} onDone={onBulk} onClose={onClose} />
  if (act) return <UndoDialog reset={act.reset} onDone={() => onUndo(act.reset)} onClose={onClose} />
  return null
}

type FailureProps = { error: Error | null; at: number | null; onRetry: () => void }

function Failure({ error, at, onRetry }: FailureProps) {
  if (!error) return null
  return (
    <ErrorPanel title="Failed to load purchase data" error={error as ApiError} onRetry={onRetry}>
      {at === null ? (
        'Nothing could be loaded yet.'
      ) : (
        <>
          What is shown is from the last answer: <Age at={at} failed />
        </>
      )}
    </ErrorPanel>
  )
}

function summaryOf(total: number, search: string): string {
  const sites = total === 1 ? '1 purchased site' : `${formatCount(total)} purchased sites`
  return search ? `${sites} found` : sites
}
