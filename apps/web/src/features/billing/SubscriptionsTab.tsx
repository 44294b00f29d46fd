import * as billing from '@agency/contract/descriptors/billing'
import * as billingChanges from '@agency/contract/descriptors/billing-changes'
import * as customerLifecycle from '@agency/contract/descriptors/customer-lifecycle'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { q } from '../../lib/api.ts'
import { useExport } from '../../lib/list/use-export.ts'
import { useListScreen } from '../../lib/list/use-list-screen.ts'
import { customerNameOf } from '../../lib/names.ts'
import { useDenial } from '../../lib/session.ts'
import { type TabProps, useSettled } from '../../lib/use-settled.ts'
import { ExportMenu } from '../../ui/ExportMenu.tsx'
import { ListSearch, ListSelect } from '../../ui/list/fields.tsx'
import { ListScreen } from '../../ui/list/ListScreen.tsx'
import type { Act } from './billing-act.ts'
import { billingFailure, noneYet } from './billing-failure.ts'
import { subscriptionFiltersOf, subscriptionsList } from './billing-list.ts'
import { subscriptionActions } from './row-actions.ts'
import { subscriptionColumns } from './subscription-columns.tsx'
import { subscriptionChips, subscriptionStatusChoices } from './subscription-filters.ts'

const BillingDialogs = lazy(() => import('./BillingDialogs.tsx').then((m) => ({ default: m.BillingDialogs })))
const Details = lazy(() =>
  import('./SubscriptionDetailsDialog.tsx').then((m) => ({ default: m.SubscriptionDetailsDialog })),
)

const unit = ['subscription', 'subscriptions'] as const
const failureOf = billingFailure('subscriptions')

export function SubscriptionsTab({ onSettled }: TabProps) {
  const screen = useListScreen(subscriptionsList)
  const { state, set, hrefOf } = screen
  useSettled(screen.query, onSettled)
  const plans = useQuery({ ...q(billing.listPlans, {}), enabled: !screen.query.isPending })
  const planChoices = (plans.data?.plans ?? []).map((plan) => ({ value: plan.id, label: plan.name }))
  const denial = useDenial(billingChanges.cancelSubscription)
  const suspendDenial = useDenial(customerLifecycle.suspendCustomer)
  const exported = useExport('subscriptions', unit)
  const [act, setAct] = useState<Act>()

  return (
    <>
      <ListScreen
        screen={screen}
        label="Subscriptions"
        unit={unit}
        columns={subscriptionColumns}
        nameOf={customerNameOf}
        actionsOf={(row) => subscriptionActions(row, { href: hrefOf(row), denial, suspendDenial, onAct: setAct })}
        toolbar={
          <>
            <ListSearch screen={screen} label="Search customer, email or plan" />
            <ListSelect screen={screen} field="status" label="Status" choices={subscriptionStatusChoices} />
            <ListSelect
              screen={screen}
              field="plan"
              label="Plan"
              choices={[{ value: '', label: 'All' }, ...planChoices]}
            />
            <ExportMenu
              title="All subscriptions that match the filters"
              isPending={exported.isPending}
              onExport={(format) => exported.start(format, subscriptionFiltersOf(state))}
            />
          </>
        }
        chips={subscriptionChips(state, planChoices, screen.rows)}
        failureOf={failureOf}
        empty={noneYet('subscriptions')}
        details={(row) => <Details {...row} view={state.view} onView={(view) => set({ view })} onAct={setAct} />}
      />
      <Suspense>{act ? <BillingDialogs act={act} onClose={() => setAct(undefined)} /> : null}</Suspense>
    </>
  )
}
