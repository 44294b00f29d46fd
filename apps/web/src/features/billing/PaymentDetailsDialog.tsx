import * as billing from '@agency/contract/descriptors/billing'
import * as invoices from '@agency/contract/descriptors/invoices'
import type { Payment, PaymentDetails } from '@agency/contract/types'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { q } from '../../lib/api.ts'
import { formatMoney } from '../../lib/format.ts'
import { customerNameOf } from '../../lib/names.ts'
import { isNotFound } from '../../lib/not-found.ts'
import { useDenial } from '../../lib/session.ts'
import { DetailsDialog } from '../../ui/DetailsDialog.tsx'
import { MoreMenu } from '../../ui/MoreMenu.tsx'
import { notFound } from '../../ui/not-found.tsx'
import { SkeletonLines } from '../../ui/Skeleton.tsx'
import type { Act } from './billing-act.ts'
import type { PaymentSearch } from './billing-search.ts'
import { collectActions, ofPayment } from './collect-actions.ts'
import { DetailsFailure } from './DetailsFailure.tsx'
import { InvoicesTable } from './InvoicesTable.tsx'
import { MoneyButton } from './MoneyButton.tsx'
import { PaymentChips } from './PaymentChips.tsx'
import { ActionsTable, ChargesTable, RefundsAndDisputes } from './PaymentHistory.tsx'
import { PaymentOverview } from './PaymentOverview.tsx'
import { refundBlock } from './row-actions.ts'
import { StripeButton } from './StripeButton.tsx'

type View = PaymentSearch['view']
type Props = {
  id: string
  /** What the list already knows, shown until the whole has come. */
  listed: Payment | undefined
  view: View
  onView: (view: View) => void
  onAct: (act: Act) => void
  onClose: () => void
}

export function PaymentDetailsDialog({ id, listed, view, onView, onAct, onClose }: Props) {
  const details = useQuery(q(billing.getPayment, { params: { id } }))
  const payment = details.data?.payment
  const known: Payment | undefined = payment ?? listed
  const denial = useDenial(billing.refundPayment)
  const due = known ? ofPayment(known) : null
  if (isNotFound(details.error))
    return <DetailsDialog {...notFound('Payment', 'The address may be wrong.')} onClose={onClose} />
  const loaded = (content: (all: PaymentDetails) => ReactNode) => (
    <>
      <DetailsFailure
        error={details.error}
        what="payments"
        at={payment?.fetched_at}
        onRetry={() => void details.refetch()}
      />
      {payment ? content(payment) : details.error ? null : <SkeletonLines count={5} />}
    </>
  )
  return (
    <DetailsDialog
      title={known ? formatMoney(known.amount, known.currency) : 'Payment'}
      marks={known ? <PaymentChips payment={known} /> : null}
      subtitle={known ? <bdi>{customerNameOf(known)}</bdi> : null}
      tab={view}
      onTab={(next) => onView(next as View)}
      onClose={onClose}
      tabs={[
        { id: 'overview', label: 'Overview', content: loaded((all) => <PaymentOverview payment={all} />) },
        {
          id: 'refunds',
          label: 'Refunds & disputes',
          content: loaded((all) => <RefundsAndDisputes payment={all} />),
        },
        { id: 'attempts', label: 'Attempts', content: loaded((all) => <ChargesTable payment={all} />) },
        {
          id: 'invoices',
          label: 'Invoices',
          content: loaded((all) => (
            <InvoicesTable invoices={all.invoices} empty="No invoice belongs to this payment." />
          )),
        },
        { id: 'actions', label: 'Actions', content: loaded((all) => <ActionsTable payment={all} />) },
      ]}
      actions={
        known ? (
          <>
            <StripeButton kind="payments" id={known.id} />
            {due ? (
              <>
                <MoreMenu label="More actions" actions={collectActions(due, { denial, onAct }).slice(1)} />
                <MoneyButton
                  endpoint={invoices.payInvoice}
                  onPress={() => onAct({ kind: 'open-invoice', act: 'pay', ...due })}
                >
                  Charge now
                </MoneyButton>
              </>
            ) : null}
            <MoneyButton
              endpoint={billing.refundPayment}
              destructive
              blocked={refundBlock(known)}
              onPress={() => onAct({ kind: 'refund', payment: known })}
            >
              Issue Refund
            </MoneyButton>
          </>
        ) : undefined
      }
    />
  )
}
