import * as purchases from '@agency/contract/descriptors/purchases'
import type { Purchase } from '@agency/contract/types'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useCallback } from 'react'
import { formatCount } from '../../lib/format.ts'
import { formatTime } from '../../lib/format-time.ts'
import { missingOf } from '../../lib/mirrored.ts'
import { useDenial } from '../../lib/session.ts'
import { usePaging } from '../../lib/use-paging.ts'
import { usePoll } from '../../lib/use-poll.ts'
import { useSearchState } from '../../lib/use-search-state.ts'
import { DataTable } from '../../ui/data-table/DataTable.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { SectionBoundary } from '../../ui/SectionBoundary.tsx'
import { PurchaseActions } from './PurchaseActions.tsx'
import { PurchasesFailure } from './PurchasesFailure.tsx'
import { PurchasesFooter } from './PurchasesFooter.tsx'
import { purchaseColumns } from './purchase-columns.tsx'
import css from './purchases.module.css'
import { purchaseSearch, purchasesList, purchasesPaging } from './purchases-list.ts'

const Details = lazy(() => import('./PurchaseDetailsDialog.tsx').then((m) => ({ default: m.PurchaseDetailsDialog })))

const keyOf = (row: Purchase) => row.id
const nameOf = (row: Purchase) => row.siteName

export function PurchasesPage() {
  const denial = useDenial(purchases.listPurchases)
  if (!denial) return <Purchases />
  return (
    <>
      <PageHeader title="Recent Purchases" />
      <EmptyState title="You may not see purchases" text={denial} />
    </>
  )
}

function Purchases() {
  const { state, set, hrefFor } = useSearchState(purchaseSearch)
  const paging = usePaging(purchasesPaging)
  const list = useQuery({ ...purchasesList(paging.query), placeholderData: keepPreviousData })
  // The event stream tells of new ones; this is for when it is down.
  usePoll(() => void list.refetch())
  const rows = list.data?.purchases
  const hrefOf = useCallback((row: Purchase) => hrefFor({ open: row.id }), [hrefFor])
  const close = () => set({ open: '' })

  return (
    <>
      <PageHeader
        title="Recent Purchases"
        summary={
          list.data ? (
            <Summary unread={list.data.unreadCount} at={list.isPlaceholderData ? null : list.dataUpdatedAt} />
          ) : (
            ''
          )
        }
        actions={<PurchaseActions unread={list.data?.unreadCount} onRefresh={() => list.refetch()} />}
      />
      <PurchasesFailure error={list.error} at={rows ? list.dataUpdatedAt : null} onRetry={() => void list.refetch()} />
      <DataTable
        label="Recent purchases"
        columns={purchaseColumns(rows)}
        rows={rows}
        keyOf={keyOf}
        nameOf={nameOf}
        hrefOf={hrefOf}
        fetching={list.isPlaceholderData || (list.isError && list.isFetching)}
        skeletonRows={paging.size}
        missing={missingOf(list.data)}
        empty={<EmptyState title="No recent purchases" text="They appear here as soon as a checkout is completed." />}
        error={list.isError && !rows ? <EmptyState text="No purchases to show." /> : undefined}
      />
      {list.data ? (
        <PurchasesFooter
          shown={list.data.purchases.length}
          total={list.data.total}
          paging={paging.pagingFor(list.data.purchases.map(keyOf), list.data.has_more)}
        />
      ) : null}
      <Suspense>
        {state.open ? (
          <SectionBoundary resetKey={state.open} onRetry={close}>
            <Details id={state.open} listed={rows?.find((row) => row.id === state.open)} onClose={close} />
          </SectionBoundary>
        ) : null}
      </Suspense>
    </>
  )
}

function Summary({ unread, at }: { unread: number; at: number | null }) {
  return (
    <>
      {unread > 0 ? <span className={css['unread']}>{formatCount(unread)} unread</span> : 'All read'}
      {at === null ? null : ` · Last updated ${formatTime(at)}`}
    </>
  )
}
