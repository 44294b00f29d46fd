import type { Reach } from '@agency/contract/types'
import type { ReactNode } from 'react'
import { fetchFailure } from '../../lib/fetch-failure.ts'
import type { ApiError } from '../../lib/problems.ts'
import type { Outcome } from '../../lib/use-money-action.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { ErrorPanel } from '../../ui/ErrorPanel.tsx'
import { OutcomeDialog, UnknownOutcome } from '../../ui/OutcomeDialog.tsx'
import { SkeletonLines } from '../../ui/Skeleton.tsx'
import { unreadPreview } from '../../ui/unread-preview.ts'

type Props = {
  title: string
  /** What may have happened: "the plan of Ada Lovelace was changed". */
  what: string
  outcome: Outcome
  preview: { data: unknown; error: unknown; refetch: () => unknown }
  reach: Reach | undefined
  /** What of it is the choice's own, before what it reaches. */
  consequences: readonly ReactNode[]
  confirmLabel: string
  cancelLabel?: string
  destructive?: boolean
  blockedReason?: string | undefined
  onConfirm: () => void
  onClose: () => void
  children?: ReactNode
}

/** Asks for a change of a subscription once it is known what that reaches, and follows it until its outcome is known. */
export function ChangeDialog(props: Props) {
  const { title, what, outcome, preview, reach, onClose, children } = props
  if (outcome.phase === 'unknown') {
    return (
      <UnknownOutcome
        title={title}
        what={what}
        where="the subscription's details"
        followFailed={outcome.followFailed}
        onClose={onClose}
      />
    )
  }
  if (outcome.phase === 'confirmed') {
    return (
      <OutcomeDialog title={title} tone="success" onClose={onClose}>
        Done: {what}.
      </OutcomeDialog>
    )
  }
  const failed = preview.error !== null && preview.data === undefined
  return (
    <ConfirmDialog
      title={title}
      consequences={props.consequences}
      confirmLabel={props.confirmLabel}
      {...(props.cancelLabel !== undefined && { cancelLabel: props.cancelLabel })}
      destructive={props.destructive ?? false}
      pending={outcome.phase === 'sending'}
      blockedReason={props.blockedReason ?? reach?.refusal ?? (reach ? undefined : unreadPreview(preview.error))}
      error={outcome.phase === 'open' ? outcome.error : null}
      fieldsFirst={children !== undefined}
      onConfirm={props.onConfirm}
      onClose={onClose}
    >
      {children}
      {failed ? (
        <ErrorPanel error={preview.error as ApiError} onRetry={() => void preview.refetch()}>
          {fetchFailure('preview', preview.error as ApiError)}
        </ErrorPanel>
      ) : null}
      {!reach && !failed && !children ? <SkeletonLines count={3} /> : null}
      {reach?.refusal ? <ErrorPanel tone="info">{reach.refusal}</ErrorPanel> : null}
    </ConfirmDialog>
  )
}
