import * as purchases from '@agency/contract/descriptors/purchases'
import type { Purchase, PurchaseStatus } from '@agency/contract/types'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { q } from '../../lib/api.ts'
import { isNotFound } from '../../lib/not-found.ts'
import { paths } from '../../lib/paths.ts'
import { stripePage } from '../../lib/provider-link.ts'
import { purchaseStatusChips } from '../../lib/purchase-status.ts'
import { useSessionState } from '../../lib/session.ts'
import { useCall } from '../../lib/use-call.ts'
import { Button } from '../../ui/Button.tsx'
import { DetailsDialog } from '../../ui/DetailsDialog.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { ListFailure } from '../../ui/ListFailure.tsx'
import { notFound } from '../../ui/not-found.tsx'
import { SkeletonLines } from '../../ui/Skeleton.tsx'
import { StatusChip } from '../../ui/StatusChip.tsx'
import { PurchaseFacts } from './PurchaseFacts.tsx'
import { purchasesFailure } from './purchases-failure.ts'

type Props = {
  id: string
  /** What the list already knows, shown until the whole has come. */
  listed: Purchase | undefined
  onClose: () => void
}

export function PurchaseDetailsDialog({ id, listed, onClose }: Props) {
  const details = useQuery(q(purchases.getPurchase, { params: { id } }))
  const purchase = details.data?.purchase
  const known: Purchase | undefined = purchase ?? listed
  const session = useSessionState()
  const stripe = purchase?.paymentId ? stripePage(session, 'payments', purchase.paymentId) : undefined

  if (isNotFound(details.error))
    return <DetailsDialog {...notFound('Purchase', 'The address may be wrong.')} onClose={onClose} />
  return (
    <DetailsDialog
      title={known?.siteName ?? 'Purchase'}
      marks={
        known ? (
          <>
            <StatusChip {...purchaseStatusChips[known.status]} />
            {purchase?.isReset ? <StatusChip label="Reset" tone="warning" /> : null}
          </>
        ) : null
      }
      subtitle={known?.customerEmail ? <bdi>{known.customerEmail}</bdi> : null}
      onClose={onClose}
      actions={
        purchase ? (
          <>
            {canBeReset(purchase.status) ? (
              <Button href={paths.purchaseResetOf(id)}>{purchase.isReset ? 'Reset history' : 'Purchase status'}</Button>
            ) : null}
            {stripe ? (
              <Button href={stripe} external endIcon={<Icon name="openInNew" />}>
                Open at Stripe
              </Button>
            ) : null}
          </>
        ) : undefined
      }
    >
      {purchase?.unread ? <ReadOnceSeen key={id} id={id} /> : null}
      <ListFailure
        error={details.error}
        wordsOf={purchasesFailure}
        at={purchase?.fetchedAt ?? null}
        onRetry={() => void details.refetch()}
      />
      {purchase ? <PurchaseFacts purchase={purchase} /> : details.error ? null : <SkeletonLines count={5} />}
    </DetailsDialog>
  )
}

const canBeReset = (status: PurchaseStatus): boolean => status === 'completed' || status === 'refunded'

/** A try that failed is no concern of the reader: the purchase stays unread, and says so in the list. */
function ReadOnceSeen({ id }: { id: string }) {
  const { mutate } = useCall(purchases.markPurchasesRead, [purchases.listPurchases, purchases.getPurchase])
  useEffect(() => mutate({ body: { ids: [id] } }), [id, mutate])
  return null
}
