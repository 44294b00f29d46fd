import { AssignAlertDialog } from './AssignAlertDialog.tsx'
import type { AlertAct } from './alert-actions.ts'
import { ResolveAlertDialog } from './ResolveAlertDialog.tsx'
import { SnoozeDialog } from './SnoozeDialog.tsx'

export function AlertDialogs({ act, onClose }: { act: AlertAct; onClose: () => void }) {
  switch (act.kind) {
    case 'snooze':
      return <SnoozeDialog alert={act.alert} onClose={onClose} />
    case 'assign':
      return <AssignAlertDialog alert={act.alert} onClose={onClose} />
    case 'resolve':
      return <ResolveAlertDialog alert={act.alert} onClose={onClose} />
  }
}
