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
        <p>Use this key from now on. The previous key no longer works.</p>
        <p>{ended_sessions === 0 ? 'No other sessions ended.' : `${sessionsText(ended_sessions)} ended.`}</p>
      </KeyOnceDialog>
    )
  }
  return (
    <ConfirmDialog
      title="Rotate admin key"
      consequences={[
        'A new key is created and shown once.',
        'The current key stops working at once, in scripts too.',
        `All other sessions opened with the key end (${formatCount(state.live_sessions)} live now).`,
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
