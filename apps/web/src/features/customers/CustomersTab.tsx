import * as billing from '@agency/contract/descriptors/billing'
import * as customers from '@agency/contract/descriptors/customers'
import * as impersonation from '@agency/contract/descriptors/impersonation'
import type { Customer } from '@agency/contract/types'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useCallback, useMemo, useState } from 'react'
import { q } from '../../lib/api.ts'
import { formatCount } from '../../lib/format.ts'
import { missingOf } from '../../lib/mirrored.ts'
import { nameOf } from '../../lib/names.ts'
import { paths } from '../../lib/paths.ts'
import { useDenial, useSessionState } from '../../lib/session.ts'
import { usePaging } from '../../lib/use-paging.ts'
import { useSearchState } from '../../lib/use-search-state.ts'
import { Button } from '../../ui/Button.tsx'
import { CustomerScreenTabs } from '../../ui/CustomerScreenTabs.tsx'
import { DataTable } from '../../ui/data-table/DataTable.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { SectionBoundary } from '../../ui/SectionBoundary.tsx'
import { CustomerDialogs } from './CustomerDialogs.tsx'
import { CustomersFailure } from './CustomersFailure.tsx'
import { CustomersToolbar } from './CustomersToolbar.tsx'
import { type CustomerAct, customerActions } from './customer-actions.ts'
import { customerColumns } from './customer-columns.tsx'
import { type CustomerSearch, chipsOf, customerSearch, detailsOf, filtersOf, noFilters } from './customer-search.ts'
import { customersList, customersPaging } from './customers-list.ts'
import { ExportProgress } from './ExportProgress.tsx'
import { HeaderActions } from './HeaderActions.tsx'
import { useLifecycleOptions } from './lifecycle/use-lifecycle-options.ts'
import { useExport } from './use-export.ts'

const AdvancedFilters = lazy(() =>
  import('./AdvancedFilters.tsx').then((module) => ({ default: module.AdvancedFilters })),
)
const CustomerDetailsDialog = lazy(() =>
  import('./CustomerDetailsDialog.tsx').then((module) => ({ default: module.CustomerDetailsDialog })),
)

const LifecycleDialog = lazy(() =>
  import('./lifecycle/LifecycleDialog.tsx').then((module) => ({ default: module.LifecycleDialog })),
)

const keyOf = (customer: Customer) => customer.id
const unit = ['customer', 'customers'] as const

export function CustomersTab() {
  const { state, set, hrefFor } = useSearchState(customerSearch)
  const paging = usePaging(customersPaging)
  const denial = useDenial(customers.listCustomers)
  const filters = useMemo(() => filtersOf(state), [state])
  const list = useQuery({
    ...customersList(paging.query, state),
    placeholderData: keepPreviousData,
    enabled: denial === undefined,
  })
  const [filtering, setFiltering] = useState(false)
  const [act, setAct] = useState<CustomerAct>()
  const writeDenial = useDenial(customers.updateCustomer)
  const impersonateDenial = useImpersonateDenial()
  const lifecycle = useLifecycleOptions((chosen, who) => set({ act: chosen, who }))
  const exported = useExport()
  const currency = useCurrency(list.data?.customers)
  const chips = chipsOf(state, currency, usePlanName(state.plan, list.data !== undefined))
  const hrefOf = useCallback((row: Customer) => hrefFor(detailsOf(row.id)), [hrefFor])
  const rows = list.data?.customers
  const filtered = chips.length > 0 || state.search !== ''
  const close = () => set(detailsOf(''))
  const handleAdded = (id: string) => {
    setAct(undefined)
    set(detailsOf(id))
  }

  return (
    <>
      <PageHeader
        title="Customers"
        summary={<Summary ready={rows !== undefined} />}
        actions={
          denial ? undefined : (
            <HeaderActions
              exporting={exported.rows !== null}
              onExport={() => exported.start(filters)}
              onAdd={() => setAct({ kind: 'add' })}
            />
          )
        }
      />
      <CustomerScreenTabs current={paths.customers} />
      <ExportProgress exported={exported} total={list.data?.total ?? null} />
      {denial ? <EmptyState title="You may not see customers" text={denial} /> : null}
      {denial ? null : (
        <>
          <CustomersFailure
            error={list.error}
            at={list.data === undefined ? null : list.dataUpdatedAt}
            onRetry={() => void list.refetch()}
          />
          <DataTable
            label="Customers"
            columns={customerColumns}
            rows={rows}
            keyOf={keyOf}
            nameOf={nameOf}
            hrefOf={hrefOf}
            actionsOf={(row) =>
              customerActions(row, {
                href: hrefOf(row),
                denial: writeDenial,
                lifecycle,
                impersonate: { href: hrefFor({ impersonate: row.id }), denial: impersonateDenial },
                onAct: setAct,
              })
            }
            sort={state.sort}
            onSort={(sort) => set({ sort: sort as CustomerSearch['sort'] })}
            fetching={list.isPlaceholderData || (list.isError && list.isFetching)}
            paging={paging.pagingFor((rows ?? []).map(keyOf), list.data?.has_more ?? false)}
            total={list.data?.total}
            missing={missingOf(list.data)}
            unit={unit}
            skeletonRows={paging.size}
            toolbar={<CustomersToolbar state={state} onChange={set} onAdvanced={() => setFiltering(true)} />}
            filters={chips.map(({ label, without }) => ({ label, onRemove: () => set(without) }))}
            onClearFilters={() => set(noFilters)}
            empty={<NoCustomers filtered={filtered} onClear={() => set(noFilters)} />}
            error={list.isError && !rows ? <EmptyState text="No customers to show." /> : undefined}
          />
        </>
      )}
      <Suspense>
        {filtering ? (
          <AdvancedFilters state={state} currency={currency} onApply={set} onClose={() => setFiltering(false)} />
        ) : null}
        {state.open ? (
          <SectionBoundary resetKey={state.open} onRetry={close}>
            <CustomerDetailsDialog
              id={state.open}
              listed={rows?.find((row) => row.id === state.open)}
              tab={state.tab}
              onTab={(tab) => set({ tab })}
              onEdit={() => setAct({ kind: 'edit', id: state.open })}
              lifecycle={lifecycle}
              onClose={close}
            />
          </SectionBoundary>
        ) : null}
        {state.act && state.who ? (
          <LifecycleDialog
            act={state.act}
            id={state.who}
            onStarted={(id) => set({ act: '', who: '', ...detailsOf(id) })}
            onClose={() => set({ act: '', who: '' })}
          />
        ) : null}
      </Suspense>
      <CustomerDialogs act={act} onAdded={handleAdded} onClose={() => setAct(undefined)} />
    </>
  )
}

/** Asked once the rows are there: the rows do not wait for it. */
function Summary({ ready }: { ready: boolean }) {
  const denied = useDenial(billing.getStats) !== undefined
  const stats = useQuery({ ...q(billing.getStats, {}), enabled: ready && !denied })
  if (!stats.data) return null
  const { active_customers, total_customers } = stats.data.stats
  return `${formatCount(active_customers)} with a live subscription · ${formatCount(total_customers)} in all`
}

function usePlanName(plan: string, ready: boolean): string | undefined {
  const denied = useDenial(billing.listPlans) !== undefined
  const plans = useQuery({ ...q(billing.listPlans, {}), enabled: ready && plan !== '' && !denied })
  return plans.data?.plans.find((each) => each.id === plan)?.name
}

/** One of the two ways is enough; which of them is open, the dialog says. */
function useImpersonateDenial(): string | undefined {
  const viewDenial = useDenial(impersonation.startView)
  const portalDenial = useDenial(impersonation.openPortal)
  return portalDenial && viewDenial
}

function useCurrency(rows: readonly Customer[] | undefined): string {
  const { stripe_account } = useSessionState()
  return rows?.[0]?.currency ?? stripe_account?.default_currency ?? 'usd'
}

function NoCustomers({ filtered, onClear }: { filtered: boolean; onClear: () => void }) {
  if (!filtered) {
    return (
      <EmptyState text="No customers found. Customers will appear here once they make purchases or create subscriptions" />
    )
  }
  return <EmptyState text="No customers match your filters" action={<Button onClick={onClear}>Clear filters</Button>} />
}
