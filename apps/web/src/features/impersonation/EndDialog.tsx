import * as impersonation from '@agency/contract/descriptors/impersonation'
import type { Impersonation } from '@agency/contract/types'
import { customerNameOf } from '../../lib/names.ts'
import { useCall } from '../../lib/use-call.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { useToast } from '../../ui/Toast.tsx'

type Props = { row: Impersonation; onClose: () => void }

export function EndDialog({ row, onClose }: Props) {
  const end = useCall(impersonation.endImpersonation, [
    impersonation.listImpersonations,
    impersonation.getImpersonation,
    impersonation.getCurrentImpersonation,
  ])
  const toast = useToast()
  const handleConfirm = () =>
    end.mutate(
      { params: { id: row.id } },
      {
        onSuccess: () => {
          toast.success('View ended')
          onClose()
        },
      },
    )
  return (
    <ConfirmDialog
      title="End view"
      consequences={[
        <span key="who">
          {row.is_mine ? 'You stop' : <Stops name={row.actor_name} />} viewing <bdi>{customerNameOf(row)}</bdi> at once.
        </span>,
        'A new view needs a new reason.',
      ]}
      confirmLabel="End view"
      pending={end.isPending}
      error={end.error}
      onConfirm={handleConfirm}
      onClose={onClose}
    />
  )
}

function Stops({ name }: { name: string }) {
  return (
    <>
      <bdi>{name}</bdi> stops
    </>
  )
}
