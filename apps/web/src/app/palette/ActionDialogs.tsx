import { UserDialogs } from '../../features/admin-users/UserDialogs.tsx'
import { ApiKeyDialogs } from '../../features/api-keys/ApiKeyDialogs.tsx'
import type { ActionDialog } from './actions.ts'

type Props = { dialog: ActionDialog; onClose: () => void }

/** The dialogs of other screens that an action opens on top of whatever is shown. */
export function ActionDialogs({ dialog, onClose }: Props) {
  switch (dialog) {
    case 'add-user':
      return <UserDialogs act={{ kind: 'add' }} onClose={onClose} />
    case 'generate-key':
      return <ApiKeyDialogs act={{ kind: 'generate' }} onClose={onClose} />
  }
}
