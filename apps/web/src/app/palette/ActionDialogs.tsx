import { RoleDialogs } from '../../features/admin-users/RoleDialogs.tsx'
import { UserDialogs } from '../../features/admin-users/UserDialogs.tsx'
import { ApiKeyDialogs } from '../../features/api-keys/ApiKeyDialogs.tsx'
import { CustomerDialogs } from '../../features/customers/CustomerDialogs.tsx'
import { paths } from '../../lib/paths.ts'
import type { ActionDialog } from './actions.ts'

type Props = { dialog: ActionDialog; onNavigate: (path: string) => void; onClose: () => void }

/** The dialogs of other screens that an action opens on top of whatever is shown. */
export function ActionDialogs({ dialog, onNavigate, onClose }: Props) {
  switch (dialog) {
    case 'add-customer':
      return (
        <CustomerDialogs
          act={{ kind: 'add' }}
          onAdded={(id) => {
            onClose()
            onNavigate(paths.customer(id))
          }}
          onClose={onClose}
        />
      )
    case 'add-role':
      return <RoleDialogs act={{ kind: 'add' }} onClose={onClose} />
    case 'add-user':
      return <UserDialogs act={{ kind: 'add' }} onClose={onClose} />
    case 'generate-key':
      return <ApiKeyDialogs act={{ kind: 'generate' }} onClose={onClose} />
  }
}
