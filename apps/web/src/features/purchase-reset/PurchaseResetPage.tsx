import * as purchaseReset from '@agency/contract/descriptors/purchase-reset'
import type { PurchasedSite, PurchaseReset } from '@agency/contract/types'
import { lazy, Suspense, useState } from 'react'
import { formatCount } from '../../lib/format.ts'
import { useListScreen } from '../../lib/list/use-list-screen.ts'
import { missingOf } from '../../lib/mirrored.ts'
import { paths } from '../../lib/paths.ts'
import { useDenial } from '../../lib/session.ts'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ListFailure } from '../../ui/ListFailure.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { HistoryPanel } from './HistoryPanel.tsx'
import { OutcomeNotice } from './OutcomeNotice.tsx'
import { bulkOutcome, nothingSelected, type Outcome, resetDone, undone } from './outcome.ts'
import css from './purchase-reset.module.css'
import { sitesList } from './purchase-reset-list.ts'
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
  const screen = useListScreen(sitesList)
  const { state, set, rows, answer, query } = screen
  const denial = useDenial(purchaseReset.resetPurchase)
  const selection = useSelection()
  const [act, setAct] = useState<Act>()
  const [outcome, setOutcome] = useState<Outcome | null>(null)

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
        summary={answer ? summaryOf(answer.total, state.search) : ''}
        actions={<Button href={paths.purchases}>Recent Purchases</Button>}
      />
      <OutcomeNotice
        outcome={outcome}
        onUndo={(reset) => begin({ kind: 'undo', reset })}
        onClose={() => setOutcome(null)}
      />
      <ListFailure error={screen.error} wordsOf={failureOf} at={screen.at} onRetry={() => void query.refetch()} />
      <div className={css['columns']}>
        <SitesPanel
          sites={rows}
          total={answer?.total}
          missing={missingOf(answer)}
          failed={query.isError && !rows}
          fetching={screen.isFetching}
          paging={answer && screen.paging}
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

const failureOf = () => ({ title: 'Failed to load purchase data' })

function summaryOf(total: number, search: string): string {
  const sites = total === 1 ? '1 purchased site' : `${formatCount(total)} purchased sites`
  return search ? `${sites} found` : sites
}
