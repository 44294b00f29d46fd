import * as security from '@agency/contract/descriptors/security'
import { formatCount } from '../../lib/format.ts'
import { useCall } from '../../lib/use-call.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { KeyOnceDialog } from '../../ui/KeyOnceDialog.tsx'
import { type AdminKeyState, sessionsText } from './security-words.ts'

type Props = { state: AdminKeyState; onClose: () => void }

export function RotateKeyDialog({ state, onClose }: Props) {
  const rotate = useCall(security.rotateAdminKey, [security.getAdminKey, security.listSessions])
  if (rotate.data) {
    const { key, ended_sessions } = rotate.data
    return (
      <KeyOnceDialog title="New admin key" secret={key} onClose={onClose}>
        <p>This key signs in from now on; the one before it no longer does.</p>
        <p>
          {ended_sessions === 0 ? 'No other session had to end.' : `${sessionsText(ended_sessions)} ended with it.`}
        </p>
      </KeyOnceDialog>
    )
  }
  return (
    <ConfirmDialog
      title="Rotate admin key"
      consequences={[
        'A new key is made and shown once.',
        'The key that is used now stops working at once, in scripts too.',
        `Sessions that were opened with it end, but for this one: ${formatCount(state.live_sessions)} live now.`,
      ]}
      confirmLabel="Rotate admin key"
      destructive
      pending={rotate.isPending}
      error={rotate.error}
      onConfirm={() => rotate.mutate({})}
      onClose={onClose}
    />
  )
}
