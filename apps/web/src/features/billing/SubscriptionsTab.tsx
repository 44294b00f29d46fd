import * as billing from '@agency/contract/descriptors/billing'
import * as billingChanges from '@agency/contract/descriptors/billing-changes'
import * as customerLifecycle from '@agency/contract/descriptors/customer-lifecycle'
import type { Subscription } from '@agency/contract/types'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useCallback, useState } from 'react'
import { q } from '../../lib/api.ts'
import { missingOf } from '../../lib/mirrored.ts'
import { customerNameOf } from '../../lib/names.ts'
import { useDenial } from '../../lib/session.ts'
import { usePaging } from '../../lib/use-paging.ts'
import { useSearchState } from '../../lib/use-search-state.ts'
import { DataTable } from '../../ui/data-table/DataTable.tsx'
import { FilterSelect } from '../../ui/FilterField.tsx'
import { SearchField } from '../../ui/SearchField.tsx'
import { SectionBoundary } from '../../ui/SectionBoundary.tsx'
import { BillingFailure } from './BillingFailure.tsx'
import type { Act } from './billing-act.ts'
import { billingPaging, subscriptionsList } from './billing-list.ts'
import { type SubscriptionSearch, subscriptionSearch } from './billing-search.ts'
import { NoRows } from './NoRows.tsx'
import { subscriptionActions } from './row-actions.ts'
import { subscriptionColumns } from './subscription-columns.tsx'
import { noSubscriptionFilters, subscriptionChips, subscriptionStatusChoices } from './subscription-filters.ts'
import { type TabProps, useSettled } from './use-settled.ts'

const BillingDialogs = lazy(() => import('./BillingDialogs.tsx').then((m) => ({ default: m.BillingDialogs })))
const Details = lazy(() =>
  import('./SubscriptionDetailsDialog.tsx').then((m) => ({ default: m.SubscriptionDetailsDialog })),
)

const keyOf = (row: Subscription) => row.id
const unit = ['subscription', 'subscriptions'] as const

export function SubscriptionsTab({ onSettled }: TabProps) {
  const { state, set, hrefFor } = useSearchState(subscriptionSearch)
  const paging = usePaging(billingPaging)
  const list = useQuery({
    ...subscriptionsList(paging.query, state),
    placeholderData: keepPreviousData,
  })
  const rows = list.data?.subscriptions
  useSettled(list, onSettled)
  const plans = useQuery({ ...q(billing.listPlans, {}), enabled: !list.isPending })
  const planChoices = (plans.data?.plans ?? []).map((plan) => ({ value: plan.id, label: plan.name }))
  const denial = useDenial(billingChanges.cancelSubscription)
  const suspendDenial = useDenial(customerLifecycle.suspendCustomer)
  const [act, setAct] = useState<Act>()
  const hrefOf = useCallback((row: Subscription) => hrefFor({ open: row.id, view: 'overview' }), [hrefFor])
  const chips = subscriptionChips(state, planChoices, rows)
  const close = () => set({ open: '', view: 'overview' })

  return (
    <>
      <BillingFailure
        error={list.error}
        what="subscriptions"
        at={rows ? list.dataUpdatedAt : null}
        onRetry={() => void list.refetch()}
      />
      <DataTable
        label="Subscriptions"
        columns={subscriptionColumns}
        rows={rows ?? (list.isError ? [] : undefined)}
        keyOf={keyOf}
        nameOf={customerNameOf}
        hrefOf={hrefOf}
        actionsOf={(row) => subscriptionActions(row, { href: hrefOf(row), denial, suspendDenial, onAct: setAct })}
        sort={state.sort}
        onSort={(sort) => set({ sort: sort as SubscriptionSearch['sort'] })}
        fetching={list.isPlaceholderData || (list.isError && list.isFetching)}
        paging={paging.pagingFor((rows ?? []).map(keyOf), list.data?.has_more ?? false)}
        total={list.data?.total}
        missing={missingOf(list.data)}
        unit={unit}
        skeletonRows={paging.size}
        toolbar={
          <>
            <SearchField
              label="Search customer, email or plan"
              value={state.search}
              onSearch={(search) => set({ search })}
            />
            <FilterSelect
              label="Status"
              value={state.status}
              choices={subscriptionStatusChoices}
              onChange={(status) => set({ status: status as SubscriptionSearch['status'] })}
            />
            <FilterSelect
              label="Plan"
              value={state.plan}
              choices={[{ value: '', label: 'All' }, ...planChoices]}
              onChange={(plan) => set({ plan })}
            />
          </>
        }
        filters={chips.map(({ label, without }) => ({ label, onRemove: () => set(without) }))}
        onClearFilters={() => set(noSubscriptionFilters)}
        empty={
          <NoRows
            unit="subscriptions"
            failed={list.isError}
            filtered={chips.length > 0 || state.search !== ''}
            onClear={() => set(noSubscriptionFilters)}
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
              onClose={close}
            />
          </SectionBoundary>
        ) : null}
        {act ? <BillingDialogs act={act} onClose={() => setAct(undefined)} /> : null}
      </Suspense>
    </>
  )
}
