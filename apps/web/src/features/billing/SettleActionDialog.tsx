import * as billing from '@agency/contract/descriptors/billing'
import * as billingChanges from '@agency/contract/descriptors/billing-changes'
import type { MoneyAction } from '@agency/contract/types'
import { useQuery } from '@tanstack/react-query'
import { q } from '../../lib/api.ts'
import { formatDateTime } from '../../lib/format-time.ts'
import { useCall } from '../../lib/use-call.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { SkeletonLines } from '../../ui/Skeleton.tsx'
import { useToast } from '../../ui/Toast.tsx'
import { unreadPreview } from '../../ui/unread-preview.ts'
import { DetailsFailure } from './DetailsFailure.tsx'
import { actionKinds } from './provider-words.ts'

type Props = { action: MoneyAction; onClose: () => void }
type Shown = { happened: boolean; settle_from: string | null }

/** Decides an action whose answer was lost, by what Stripe itself shows of it. */
export function SettleActionDialog({ action, onClose }: Props) {
  const params = { id: action.id }
  const evidence = useQuery({ ...q(billingChanges.getEvidence, { params }), staleTime: 0 })
  const stale = [billing.getPayment, billing.getSubscription, billing.listMoneyActions, billing.listPayments]
  const settle = useCall(billingChanges.settleAction, stale)
  const toast = useToast()
  const { data } = evidence
  const name = actionKinds[action.kind].toLowerCase()
  const outcome = data?.happened ? 'happened' : 'not_happened'

  const handleConfirm = () =>
    settle.mutate(
      { params, body: { outcome } },
      {
        onSuccess: () => {
          toast.success(outcome === 'happened' ? `Recorded the ${name} as done` : `Recorded the ${name} as failed`)
          onClose()
        },
      },
    )

  return (
    <ConfirmDialog
      title="Settle by hand"
      consequences={data ? [...data.facts.map((fact) => <bdi key={fact}>{fact}</bdi>), verdictOf(name, data)] : []}
      confirmLabel={data?.happened ? 'Record as done' : 'Record as failed'}
      pending={settle.isPending}
      blockedReason={data ? blockOf(data) : unreadPreview(evidence.error)}
      error={settle.error}
      onConfirm={handleConfirm}
      onClose={onClose}
    >
      <DetailsFailure
        error={evidence.error}
        what="what Stripe shows"
        at={undefined}
        onRetry={() => void evidence.refetch()}
      />
      {evidence.isPending ? <SkeletonLines count={2} /> : null}
    </ConfirmDialog>
  )
}

function verdictOf(name: string, { happened, settle_from }: Shown): string {
  if (happened) return `The ${name} happened and is recorded as done.`
  if (settle_from !== null) return `The ${name} may still arrive. Settle after ${formatDateTime(settle_from)}.`
  return `The ${name} did not happen. It is recorded as failed and can be started again.`
}

function blockOf({ settle_from }: Shown): string | undefined {
  if (settle_from === null) return undefined
  return `Stripe may need more time. Try again after ${formatDateTime(settle_from)}.`
}
