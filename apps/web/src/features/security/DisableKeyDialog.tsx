import * as security from '@agency/contract/descriptors/security'
import { useSessionState } from '../../lib/session.ts'
import { useCall } from '../../lib/use-call.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { useToast } from '../../ui/Toast.tsx'
import { type AdminKeyState, apiKeysText, sessionsText } from './security-words.ts'

type Props = { state: AdminKeyState; onClose: () => void }

export function DisableKeyDialog({ state, onClose }: Props) {
  const disable = useCall(security.disableAdminKey, [security.getAdminKey, security.listSessions])
  const { actor } = useSessionState()
  const toast = useToast()
  const handleConfirm = () =>
    disable.mutate(
      {},
      {
        onSuccess: ({ ended_sessions }) => {
          toast.success(`The admin key is off. ${sessionsText(ended_sessions)} ended.`)
          onClose()
        },
      },
    )
  return (
    <ConfirmDialog
      title="Switch off admin key"
      consequences={[
        'Nobody can sign in with the admin key any more, and scripts that use it are refused.',
        state.live_sessions === 0
          ? 'No session was opened with it.'
          : `${sessionsText(state.live_sessions)} opened with it end at once.`,
        ...(state.live_api_keys === 0
          ? []
          : [`${apiKeysText(state.live_api_keys)} made with it stop working as well.`]),
        ...(actor.type === 'admin_key' ? ['Your own session is one of them: sign in by email afterwards.'] : []),
        'It stays off until the command npm run admin-key makes a new one on the server.',
      ]}
      confirmLabel="Switch off admin key"
      destructive
      typedName="switch off"
      pending={disable.isPending}
      error={disable.error}
      onConfirm={handleConfirm}
      onClose={onClose}
    />
  )
}
