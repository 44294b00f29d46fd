import * as billing from '@agency/contract/descriptors/billing'
import type { Payment } from '@agency/contract/types'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useCallback, useState } from 'react'
import { formatMoney } from '../../lib/format.ts'
import { missingOf } from '../../lib/mirrored.ts'
import { customerNameOf } from '../../lib/names.ts'
import { useDenial } from '../../lib/session.ts'
import { usePaging } from '../../lib/use-paging.ts'
import { useSearchState } from '../../lib/use-search-state.ts'
import { DataTable } from '../../ui/data-table/DataTable.tsx'
import { SectionBoundary } from '../../ui/SectionBoundary.tsx'
import { BillingFailure } from './BillingFailure.tsx'
import type { Act } from './billing-act.ts'
import { billingPaging, paymentsList } from './billing-list.ts'
import { type PaymentSearch, paymentSearch } from './billing-search.ts'
import { NoRows } from './NoRows.tsx'
import { PaymentsToolbar } from './PaymentsToolbar.tsx'
import { paymentColumns } from './payment-columns.tsx'
import { noPaymentFilters, paymentChips } from './payment-filters.ts'
import { paymentActions } from './row-actions.ts'
import { type TabProps, useSettled } from './use-settled.ts'

const BillingDialogs = lazy(() => import('./BillingDialogs.tsx').then((m) => ({ default: m.BillingDialogs })))
const Details = lazy(() => import('./PaymentDetailsDialog.tsx').then((m) => ({ default: m.PaymentDetailsDialog })))

const keyOf = (row: Payment) => row.id
const nameOf = (row: Payment) => `${formatMoney(row.amount, row.currency)} by ${customerNameOf(row)}`
const unit = ['payment', 'payments'] as const

export function PaymentsTab({ onSettled }: TabProps) {
  const { state, set, hrefFor } = useSearchState(paymentSearch)
  const paging = usePaging(billingPaging)
  const list = useQuery({
    ...paymentsList(paging.query, state),
    placeholderData: keepPreviousData,
  })
  const rows = list.data?.payments
  useSettled(list, onSettled)
  const denial = useDenial(billing.refundPayment)
  const [act, setAct] = useState<Act>()
  const hrefOf = useCallback((row: Payment) => hrefFor({ open: row.id, view: 'overview' }), [hrefFor])
  const chips = paymentChips(state, rows)

  return (
    <>
      <BillingFailure
        error={list.error}
        what="payments"
        at={rows ? list.dataUpdatedAt : null}
        onRetry={() => void list.refetch()}
      />
      <DataTable
        label="Payments"
        columns={paymentColumns}
        rows={rows ?? (list.isError ? [] : undefined)}
        keyOf={keyOf}
        nameOf={nameOf}
        hrefOf={hrefOf}
        actionsOf={(row) => paymentActions(row, { href: hrefOf(row), denial, onAct: setAct })}
        sort={state.sort}
        onSort={(sort) => set({ sort: sort as PaymentSearch['sort'] })}
        fetching={list.isPlaceholderData || (list.isError && list.isFetching)}
        paging={paging.pagingFor((rows ?? []).map(keyOf), list.data?.has_more ?? false)}
        total={list.data?.total}
        missing={missingOf(list.data)}
        unit={unit}
        skeletonRows={paging.size}
        toolbar={<PaymentsToolbar state={state} onChange={set} />}
        filters={chips.map(({ label, without }) => ({ label, onRemove: () => set(without) }))}
        onClearFilters={() => set(noPaymentFilters)}
        empty={
          <NoRows
            unit="payments"
            failed={list.isError}
            filtered={chips.length > 0 || state.search !== ''}
            onClear={() => set(noPaymentFilters)}
          />
        }
      />
      <Suspense>
        {state.open ? (
          <SectionBoundary resetKey={state.open}>
            <Details
              id={state.open}
              listed={rows?.find((row) => row.id === state.open)}
              view={state.view}
              onView={(view) => set({ view })}
              onAct={setAct}
              onClose={() => set({ open: '', view: 'overview' })}
            />
          </SectionBoundary>
        ) : null}
        {act ? <BillingDialogs act={act} onClose={() => setAct(undefined)} /> : null}
      </Suspense>
    </>
  )
}
