import * as billing from '@agency/contract/descriptors/billing'
import type { Payment } from '@agency/contract/types'
import { lazy, Suspense, useState } from 'react'
import { formatMoney } from '../../lib/format.ts'
import { useExport } from '../../lib/list/use-export.ts'
import { useListScreen } from '../../lib/list/use-list-screen.ts'
import { customerNameOf } from '../../lib/names.ts'
import { useDenial } from '../../lib/session.ts'
import { type TabProps, useSettled } from '../../lib/use-settled.ts'
import { ExportMenu } from '../../ui/ExportMenu.tsx'
import { ListScreen } from '../../ui/list/ListScreen.tsx'
import type { Act } from './billing-act.ts'
import { billingFailure, noneYet } from './billing-failure.ts'
import { paymentFiltersOf, paymentsList } from './billing-list.ts'
import { PaymentsToolbar } from './PaymentsToolbar.tsx'
import { paymentColumns } from './payment-columns.tsx'
import { paymentChips } from './payment-filters.ts'
import { paymentActions } from './row-actions.ts'

const BillingDialogs = lazy(() => import('./BillingDialogs.tsx').then((m) => ({ default: m.BillingDialogs })))
const Details = lazy(() => import('./PaymentDetailsDialog.tsx').then((m) => ({ default: m.PaymentDetailsDialog })))

const nameOf = (row: Payment) => `${formatMoney(row.amount, row.currency)} by ${customerNameOf(row)}`
const unit = ['payment', 'payments'] as const
const failureOf = billingFailure('payments')

export function PaymentsTab({ onSettled }: TabProps) {
  const screen = useListScreen(paymentsList)
  const { state, set, hrefOf } = screen
  useSettled(screen.query, onSettled)
  const denial = useDenial(billing.refundPayment)
  const exported = useExport('payments', unit)
  const [act, setAct] = useState<Act>()

  return (
    <>
      <ListScreen
        screen={screen}
        label="Payments"
        unit={unit}
        columns={paymentColumns}
        nameOf={nameOf}
        actionsOf={(row) => paymentActions(row, { href: hrefOf(row), denial, onAct: setAct })}
        toolbar={
          <>
            <PaymentsToolbar screen={screen} />
            <ExportMenu
              title="All payments that match the filters"
              isPending={exported.isPending}
              onExport={(format) => exported.start(format, paymentFiltersOf(state))}
            />
          </>
        }
        chips={paymentChips(state, screen.rows)}
        failureOf={failureOf}
        empty={noneYet('payments')}
        details={(row) => <Details {...row} view={state.view} onView={(view) => set({ view })} onAct={setAct} />}
      />
      <Suspense>{act ? <BillingDialogs act={act} onClose={() => setAct(undefined)} /> : null}</Suspense>
    </>
  )
}
