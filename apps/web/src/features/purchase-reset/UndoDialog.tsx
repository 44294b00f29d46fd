import * as purchaseReset from '@agency/contract/descriptors/purchase-reset'
import type { PurchaseReset } from '@agency/contract/types'
import { useState } from 'react'
import { useCall } from '../../lib/use-call.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { resetReads } from './purchase-reset-list.ts'
import { ReasonField } from './ReasonField.tsx'
import { undoConsequences } from './reset-words.tsx'

type Props = { reset: PurchaseReset; onDone: () => void; onClose: () => void }

export function UndoDialog({ reset, onDone, onClose }: Props) {
  const undo = useCall(purchaseReset.undoPurchaseReset, resetReads)
  const [reason, setReason] = useState('')
  const handleConfirm = () => {
    const words = reason.trim()
    undo.mutate({ params: { id: reset.id }, body: { reason: words } }, { onSuccess: onDone })
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
