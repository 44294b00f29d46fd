import * as billing from '@agency/contract/descriptors/billing'
import * as billingChanges from '@agency/contract/descriptors/billing-changes'
import type { Subscription, SubscriptionDetails } from '@agency/contract/types'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { q } from '../../lib/api.ts'
import { customerNameOf } from '../../lib/names.ts'
import { isNotFound } from '../../lib/not-found.ts'
import { paths } from '../../lib/paths.ts'
import { useDenial } from '../../lib/session.ts'
import { planName } from '../../lib/subscriptions.ts'
import { DetailsDialog } from '../../ui/DetailsDialog.tsx'
import { MoreMenu } from '../../ui/MoreMenu.tsx'
import { notFound } from '../../ui/not-found.tsx'
import { SkeletonLines } from '../../ui/Skeleton.tsx'
import type { Act } from './billing-act.ts'
import type { SubscriptionSearch } from './billing-search.ts'
import { changeActions } from './change-actions.ts'
import { collectActions, ofSubscription } from './collect-actions.ts'
import { DetailsFailure } from './DetailsFailure.tsx'
import { InvoicesTable } from './InvoicesTable.tsx'
import { MoneyButton } from './MoneyButton.tsx'
import { cancelBlock } from './row-actions.ts'
import { StripeButton } from './StripeButton.tsx'
import { SubscriptionActions } from './SubscriptionActions.tsx'
import { SubscriptionChips } from './SubscriptionChips.tsx'
import { SubscriptionItems } from './SubscriptionItems.tsx'
import { SubscriptionNotices } from './SubscriptionNotices.tsx'
import { SubscriptionOverview } from './SubscriptionOverview.tsx'

type View = SubscriptionSearch['view']
type Props = {
  id: string
  /** What the list already knows, shown until the whole has come. */
  listed: Subscription | undefined
  view: View
  onView: (view: View) => void
  onAct: (act: Act) => void
  onClose: () => void
}

export function SubscriptionDetailsDialog({ id, listed, view, onView, onAct, onClose }: Props) {
  const details = useQuery(q(billing.getSubscription, { params: { id } }))
  const subscription = details.data?.subscription
  const denial = useDenial(billingChanges.changePlan)
  const known: Subscription | SubscriptionDetails | undefined = subscription ?? listed
  if (isNotFound(details.error))
    return <DetailsDialog {...notFound('Subscription', 'The address may be wrong.')} onClose={onClose} />
  const loaded = (content: (all: SubscriptionDetails) => ReactNode) => (
    <>
      <DetailsFailure
        error={details.error}
        what="subscription"
        at={subscription?.fetched_at}
        onRetry={() => void details.refetch()}
      />
      {subscription ? content(subscription) : details.error ? null : <SkeletonLines count={5} />}
    </>
  )
  return (
    <DetailsDialog
      title={known ? planName(known) : 'Subscription'}
      marks={known ? <SubscriptionChips subscription={known} /> : null}
      subtitle={known ? <bdi>{customerNameOf(known)}</bdi> : null}
      tab={view}
      onTab={(next) => onView(next as View)}
      onClose={onClose}
      tabs={[
        {
          id: 'overview',
          label: 'Overview',
          content: loaded((all) => (
            <>
              <SubscriptionNotices subscription={known as Subscription} onAct={onAct} />
              <SubscriptionOverview subscription={all} />
            </>
          )),
        },
        {
          id: 'items',
          label: 'Items & discounts',
          content: loaded((all) => <SubscriptionItems subscription={all} />),
        },
        {
          id: 'invoices',
          label: 'Invoices',
          content: loaded((all) => (
            <>
              <InvoicesTable invoices={all.invoices} empty="This subscription has no invoices yet." />
              <p>
                <a href={paths.customerInvoices(all.customer_id)}>All invoices of this customer</a>
              </p>
            </>
          )),
        },
        { id: 'actions', label: 'Actions', content: <SubscriptionActions id={id} /> },
      ]}
      actions={
        known ? (
          <>
            <StripeButton kind="subscriptions" id={known.stripe_subscription_id} />
            <MoreMenu
              label="More actions"
              actions={[
                ...collectActions(ofSubscription(known as Subscription), { denial, onAct }),
                ...changeActions(known as Subscription, { denial, onAct }),
              ]}
            />
            <MoneyButton
              endpoint={billing.refundPayment}
              onPress={() => onAct({ kind: 'refund-subscription', subscription: known as Subscription })}
            >
              Issue Refund
            </MoneyButton>
            <MoneyButton
              endpoint={billingChanges.cancelSubscription}
              destructive
              blocked={cancelBlock(known)}
              onPress={() => onAct({ kind: 'cancel', subscription: known as Subscription })}
            >
              Cancel Subscription
            </MoneyButton>
          </>
        ) : undefined
      }
    />
  )
}
