import * as purchaseReset from '@agency/contract/descriptors/purchase-reset'
import type { PurchasedSite, PurchaseReset, RefusedSite } from '@agency/contract/types'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { q } from '../../lib/api.ts'
import type { ApiError } from '../../lib/problems.ts'
import { useCall } from '../../lib/use-call.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { ErrorPanel } from '../../ui/ErrorPanel.tsx'
import { SkeletonLines } from '../../ui/Skeleton.tsx'
import { unreadPreview } from '../../ui/unread-preview.ts'
import { Notice } from './Notice.tsx'
import { resetReads } from './purchase-reset-list.ts'
import { ReasonField } from './ReasonField.tsx'
import { leftText, RefusedList } from './RefusedList.tsx'
import { resetConsequences } from './reset-words.tsx'

type Shared = { onClose: () => void }
type OneProps = Shared & { site: PurchasedSite; onDone: (reset: PurchaseReset) => void }
type BulkProps = Shared & {
  ids: readonly string[]
  onDone: (resets: readonly PurchaseReset[], refused: readonly RefusedSite[]) => void
}

export function ResetDialog({ site, onDone, onClose }: OneProps) {
  const reset = useCall(purchaseReset.resetPurchase, resetReads)
  const handleConfirm = (reason: string) =>
    reset.mutate({ params: { id: site.id }, body: { reason } }, { onSuccess: (answer) => onDone(answer.reset) })
  return (
    <ConfirmReset
      ids={[site.id]}
      title="Reset purchase status"
      confirmLabel={() => 'Reset purchase status'}
      failure="Failed to reset purchase status."
      pending={reset.isPending}
      error={reset.error}
      onConfirm={handleConfirm}
      onClose={onClose}
    />
  )
}

export function BulkResetDialog({ ids, onDone, onClose }: BulkProps) {
  const reset = useCall(purchaseReset.bulkResetPurchases, resetReads)
  const handleConfirm = (reason: string) =>
    reset.mutate(
      { body: { purchaseIds: [...ids], reason } },
      { onSuccess: (answer) => onDone(answer.resets, answer.refused) },
    )
  return (
    <ConfirmReset
      ids={ids}
      title="Bulk Reset"
      confirmLabel={(count) => (count === 1 ? 'Reset 1 site' : `Reset ${count} sites`)}
      failure="Failed to perform bulk reset."
      pending={reset.isPending}
      error={reset.error}
      onConfirm={handleConfirm}
      onClose={onClose}
    />
  )
}

type ConfirmProps = {
  ids: readonly string[]
  title: string
  confirmLabel: (count: number) => string
  failure: string
  pending: boolean
  error: ApiError | null
  onConfirm: (reason: string) => void
  onClose: () => void
}

function ConfirmReset({ ids, title, confirmLabel, failure, pending, error, onConfirm, onClose }: ConfirmProps) {
  const [reason, setReason] = useState('')
  const preview = useQuery({
    ...q(purchaseReset.previewPurchaseReset, { body: { purchaseIds: [...ids] } }),
    staleTime: 0,
    gcTime: 0,
  })
  const { data } = preview
  return (
    <ConfirmDialog
      title={title}
      consequences={data ? resetConsequences(data) : []}
      confirmLabel={confirmLabel(data?.sites.length ?? ids.length)}
      destructive
      pending={pending}
      blockedReason={data ? blockOf(data) : unreadPreview(preview.error)}
      onConfirm={() => onConfirm(reason.trim())}
      onClose={onClose}
    >
      {data && data.refused.length > 0 ? (
        <div>
          <p>{leftText(data.refused.length)}</p>
          <RefusedList refused={data.refused} />
        </div>
      ) : null}
      {preview.error && !data ? (
        <ErrorPanel error={preview.error as ApiError} onRetry={() => void preview.refetch()}>
          The preview could not be loaded. Nothing was changed.
        </ErrorPanel>
      ) : null}
      {data || preview.error ? null : <SkeletonLines count={3} height={32} />}
      <ReasonField value={reason} disabled={pending} onChange={setReason} />
      {error && !pending ? (
        <Notice tone="error" text={failure}>
          <p>{error.message}</p>
          {error.requestId ? <p>Request {error.requestId}</p> : null}
        </Notice>
      ) : null}
    </ConfirmDialog>
  )
}

function blockOf(preview: { sites: readonly PurchasedSite[] }): string | undefined {
  return preview.sites.length === 0 ? 'None of these sites can be reset now' : undefined
}
