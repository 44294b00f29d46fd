import * as alerts from '@agency/contract/descriptors/alerts'
import type { MaintenanceWindow } from '@agency/contract/types'
import { formatDateTime } from '../../lib/format-time.ts'
import { useCall } from '../../lib/use-call.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { useToast } from '../../ui/Toast.tsx'
import { maintenanceReads } from './alerts-search.ts'
import { reachText } from './maintenance-words.ts'

type Props = { window: MaintenanceWindow; onClose: () => void }

/** Ends what runs, or takes away what has not begun. */
export function EndMaintenanceDialog({ window, onClose }: Props) {
  const end = useCall(alerts.endMaintenance, maintenanceReads)
  const toast = useToast()
  const isPlanned = window.state === 'planned'
  const verb = isPlanned ? 'Cancel maintenance' : 'End maintenance'
  const handleConfirm = () =>
    end.mutate(
      { params: { id: window.id } },
      {
        onSuccess: () => {
          toast.success(`${isPlanned ? 'Cancelled' : 'Ended'}: ${window.title}`)
          onClose()
        },
      },
    )
  return (
    <ConfirmDialog
      title={verb}
      consequences={consequencesOf(window)}
      confirmLabel={verb}
      cancelLabel="Keep maintenance"
      destructive={isPlanned}
      pending={end.isPending}
      error={end.error}
      onConfirm={handleConfirm}
      onClose={onClose}
    />
  )
}

function consequencesOf(window: MaintenanceWindow) {
  const { title, state, silences, excludes_uptime, starts_at, ends_at } = window
  const reach = <bdi>{reachText(window)}</bdi>
  return state === 'planned'
    ? [
        <bdi key="what">{`${title} is cancelled before the start. Nothing was silenced yet.`}</bdi>,
        <>
          Affects {reach}, {formatDateTime(starts_at)} to {formatDateTime(ends_at)}.
        </>,
      ]
    : [
        <bdi key="what">{`${title} ends now instead of ${formatDateTime(ends_at)}.`}</bdi>,
        <>Affects {reach}.</>,
        ...(silences ? ['Notices are sent again from now on.'] : []),
        ...(excludes_uptime ? ['Uptime counts again from now on. The time so far stays excluded.'] : []),
      ]
}
