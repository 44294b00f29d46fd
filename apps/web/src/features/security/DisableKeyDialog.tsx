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
        'Sign-in with the admin key stops, for people and scripts.',
        state.live_sessions === 0
          ? 'No open sessions use the key.'
          : `${sessionsText(state.live_sessions)} opened with the key end at once.`,
        ...(state.live_api_keys === 0
          ? []
          : [`${apiKeysText(state.live_api_keys)} created with the key stop working too.`]),
        ...(actor.type === 'admin_key' ? ['Your session ends too: sign in by email afterwards.'] : []),
        'To turn it on again, run npm run admin-key on the server.',
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
