import * as billing from '@agency/contract/descriptors/billing'
import * as customers from '@agency/contract/descriptors/customers'
import * as impersonation from '@agency/contract/descriptors/impersonation'
import * as newSubscriptions from '@agency/contract/descriptors/new-subscriptions'
import type { Customer } from '@agency/contract/types'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { q } from '../../lib/api.ts'
import { formatCount } from '../../lib/format.ts'
import { useExport } from '../../lib/list/use-export.ts'
import { useListScreen } from '../../lib/list/use-list-screen.ts'
import { nameOf } from '../../lib/names.ts'
import { paths } from '../../lib/paths.ts'
import { useDenial, useSessionState } from '../../lib/session.ts'
import { AddButton } from '../../ui/AddButton.tsx'
import { CustomerScreenTabs } from '../../ui/CustomerScreenTabs.tsx'
import { ExportMenu } from '../../ui/ExportMenu.tsx'
import { ListScreen } from '../../ui/list/ListScreen.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { CustomerDialogs } from './CustomerDialogs.tsx'
import { CustomersToolbar } from './CustomersToolbar.tsx'
import { type CustomerAct, customerActions } from './customer-actions.ts'
import { customerColumns } from './customer-columns.tsx'
import { customerChips, filtersOf } from './customer-search.ts'
import { customersList } from './customers-list.ts'
import { lifecycleBulk } from './lifecycle/lifecycle-bulk.tsx'
import { useLifecycleOptions } from './lifecycle/use-lifecycle-options.ts'

const AdvancedFilters = lazy(() =>
  import('./AdvancedFilters.tsx').then((module) => ({ default: module.AdvancedFilters })),
)
const CustomerDetailsDialog = lazy(() =>
  import('./CustomerDetailsDialog.tsx').then((module) => ({ default: module.CustomerDetailsDialog })),
)

const LifecycleDialog = lazy(() =>
  import('./lifecycle/LifecycleDialog.tsx').then((module) => ({ default: module.LifecycleDialog })),
)

const unit = ['customer', 'customers'] as const
const failure = {
  text: 'Failed to load customer data. Please try again.',
  stale: 'Showing old data:',
}

export function CustomersTab() {
  const screen = useListScreen(customersList)
  const { state, set, hrefFor, hrefOf, rows, denial } = screen
  const [filtering, setFiltering] = useState(false)
  const [act, setAct] = useState<CustomerAct>()
  const createDenial = useDenial(customers.createCustomer)
  const writeDenial = useDenial(customers.updateCustomer)
  const subscribeDenial = useDenial(newSubscriptions.createSubscription)
  const impersonateDenial = useImpersonateDenial()
  const [added, setAdded] = useState<string>()
  const lifecycle = useLifecycleOptions((chosen, who) => set({ act: chosen, who }))
  const exported = useExport('customers', unit)
  const currency = useCurrency(rows)
  const planName = usePlanName(state.plan, rows !== undefined)
  const handleAdded = (id: string) => {
    setAct(undefined)
    setAdded(id)
    screen.open(id)
  }

  return (
    <>
      <PageHeader
        title="Customers"
        summary={<Summary ready={rows !== undefined} />}
        actions={
          denial ? undefined : (
            <>
              <ExportMenu
                title="All customers that match the filters"
                isPending={exported.isPending}
                onExport={(format) => exported.start(format, filtersOf(state))}
              />
              <AddButton blocked={createDenial} onClick={() => setAct({ kind: 'add' })}>
                Add Customer
              </AddButton>
            </>
          )
        }
      />
      <CustomerScreenTabs current={paths.customers} />
      <ListScreen
        screen={screen}
        label="Customers"
        unit={unit}
        columns={customerColumns}
        nameOf={nameOf}
        actionsOf={(row) =>
          customerActions(row, {
            href: hrefOf(row),
            denial: writeDenial,
            subscribeDenial,
            lifecycle,
            impersonate: { href: hrefFor({ impersonate: row.id }), denial: impersonateDenial },
            onAct: setAct,
          })
        }
        bulkActs={lifecycleBulk(lifecycle.denials.write)}
        toolbar={<CustomersToolbar screen={screen} onAdvanced={() => setFiltering(true)} />}
        chips={customerChips(state, currency, planName)}
        failureOf={() => failure}
        empty="No customers found. Customers will appear here once they make purchases or create subscriptions"
        details={(row) => (
          <CustomerDetailsDialog
            {...row}
            tab={state.tab}
            onTab={(tab) => set({ tab })}
            onEdit={() => setAct({ kind: 'edit', id: row.id })}
            isNew={row.id === added}
            subscribeDenial={subscribeDenial}
            onSubscribe={() => setAct({ kind: 'subscribe', id: row.id })}
            lifecycle={lifecycle}
          />
        )}
      />
      <Suspense>
        {filtering ? (
          <AdvancedFilters state={state} currency={currency} onApply={set} onClose={() => setFiltering(false)} />
        ) : null}
        {state.act && state.who ? (
          <LifecycleDialog
            act={state.act}
            id={state.who}
            onStarted={(id) => set({ act: '', who: '', ...customersList.detailsOf(id) })}
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
  return `${formatCount(total_customers)} ${total_customers === 1 ? 'customer' : 'customers'} · ${formatCount(active_customers)} subscribed`
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
