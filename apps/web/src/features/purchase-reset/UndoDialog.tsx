import { type PurchaseReset, purchaseReset } from '@agency/contract/descriptors'
import { useState } from 'react'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { ReasonField } from './ReasonField.tsx'
import { undoConsequences } from './reset-words.tsx'
import { useReset } from './use-reset.ts'

type Props = { reset: PurchaseReset; onDone: () => void; onClose: () => void }

export function UndoDialog({ reset, onDone, onClose }: Props) {
  const undo = useReset(purchaseReset.undoPurchaseReset)
  const [reason, setReason] = useState('')
  const handleConfirm = () => {
    const words = reason.trim()
    undo.mutate(
      { params: { id: reset.id }, body: { reason: words }, idempotencyKey: undo.keyFor(words) },
      { onSuccess: onDone },
    )
  }
  return (
    <ConfirmDialog
      title="Undo reset"
      consequences={undoConsequences(reset)}
      confirmLabel="Undo reset"
      pending={undo.isPending}
      error={undo.error}
      onConfirm={handleConfirm}
      onClose={onClose}
    >
      <ReasonField value={reason} disabled={undo.isPending} onChange={setReason} />
    </ConfirmDialog>
  )
}
