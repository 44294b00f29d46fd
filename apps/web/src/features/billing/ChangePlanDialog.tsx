import * as billing from '@agency/contract/descriptors/billing'
import * as billingChanges from '@agency/contract/descriptors/billing-changes'
import type { Proration, Subscription } from '@agency/contract/types'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { q } from '../../lib/api.ts'
import { formatMoney } from '../../lib/format.ts'
import { amountPerPeriod } from '../../lib/subscriptions.ts'
import { useMoneyAction } from '../../lib/use-money-action.ts'
import { SkeletonLines } from '../../ui/Skeleton.tsx'
import { useToast } from '../../ui/Toast.tsx'
import { stillLoading } from '../../ui/unread-preview.ts'
import { ChangeDialog } from './ChangeDialog.tsx'
import { subjectOf } from './cancel-words.tsx'
import { NextInvoicePreview } from './NextInvoicePreview.tsx'
import { PlanFields } from './PlanFields.tsx'
import { reachLines } from './reach-words.tsx'

type Props = { subscription: Subscription; onClose: () => void }

export function ChangePlanDialog({ subscription, onClose }: Props) {
  const { id } = subscription
  const [price, setPrice] = useState('')
  const [item, setItem] = useState<string>()
  const [proration, setProration] = useState<Proration>('next_invoice')
  const details = useQuery(q(billing.getSubscription, { params: { id } }))
  const plans = useQuery(q(billing.listPlans, {}))
  const items = details.data?.subscription.items
  const chosen = item ?? items?.[0]?.id
  const preview = useQuery({
    ...q(billingChanges.previewPlanChange, { params: { id }, query: { price, item: chosen, proration } }),
    enabled: price !== '' && chosen !== undefined,
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
  const { outcome, run } = useMoneyAction(billingChanges.changePlan, id)
  const toast = useToast()
  const subject = subjectOf(subscription)
  const isChosen = price !== ''
  const shown = isChosen ? preview.data : undefined
  const invoice = shown?.next_invoice
  const due = invoice?.charged_now ? invoice.amount_due : 0

  const handleConfirm = () => {
    if (!shown) return
    const expected_amount_due = invoice?.amount_due
    const body = { price, item: chosen, proration, proration_date: shown.proration_date, expected_amount_due }
    void run({ params: { id }, body }, ({ subscription: after }) => {
      toast.success(`Changed the plan to ${subjectOf(after)}, ${amountPerPeriod(after)}`)
      onClose()
    })
  }

  return (
    <ChangeDialog
      title="Change plan"
      what={`the plan of ${subject} was changed`}
      outcome={outcome}
      preview={isChosen ? preview : details.error ? details : plans}
      reach={shown?.reach}
      consequences={[
        <>
          <bdi>{subject}</bdi> pays {amountPerPeriod(subscription)} now.
        </>,
        ...(shown && !shown.reach.refusal ? reachLines(shown.reach) : []),
      ]}
      confirmLabel={due > 0 && invoice ? `Change plan and charge ${formatMoney(due, invoice.currency)}` : 'Change plan'}
      blockedReason={isChosen ? (preview.isPlaceholderData ? stillLoading : undefined) : 'Choose a price first'}
      onConfirm={handleConfirm}
      onClose={onClose}
    >
      {items && plans.data ? (
        <PlanFields
          items={items}
          plans={plans.data.plans}
          value={{ item: chosen ?? '', price, proration }}
          disabled={outcome.phase === 'sending'}
          onChange={(change) => {
            if (change.item !== undefined) {
              setItem(change.item)
              setPrice('')
            }
            if (change.price !== undefined) setPrice(change.price)
            if (change.proration !== undefined) setProration(change.proration)
          }}
        />
      ) : (
        <SkeletonLines count={3} />
      )}
      {isChosen && preview.isPending ? <SkeletonLines count={3} /> : null}
      {invoice ? <NextInvoicePreview invoice={invoice} stale={preview.isPlaceholderData} /> : null}
    </ChangeDialog>
  )
}
