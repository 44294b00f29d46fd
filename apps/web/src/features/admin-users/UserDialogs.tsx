import { useState } from 'react'
import { AddUserDialog } from './AddUserDialog.tsx'
import { EditUserDialog } from './EditUserDialog.tsx'
import { HandoverDialog } from './HandoverDialog.tsx'
import { RemovalDialog } from './RemovalDialog.tsx'
import { ResetPasswordDialog } from './ResetPasswordDialog.tsx'
import { SmallActDialog } from './SmallActDialog.tsx'
import type { UserAct } from './user-actions.ts'
import type { Done } from './way-in.ts'

type Props = { act: UserAct; onClose: () => void }

export function UserDialogs({ act, onClose }: Props) {
  const [done, setDone] = useState<Done>()
  if (done) return <HandoverDialog {...done} onClose={onClose} />
  switch (act.kind) {
    case 'add':
      return <AddUserDialog onDone={setDone} onClose={onClose} />
    case 'edit':
      return <EditUserDialog user={act.user} onClose={onClose} />
    case 'reset-password':
      return <ResetPasswordDialog user={act.user} onDone={setDone} onClose={onClose} />
    case 'deactivate':
    case 'delete':
      return <RemovalDialog kind={act.kind} user={act.user} onClose={onClose} />
    default:
      return <SmallActDialog kind={act.kind} user={act.user} onDone={setDone} onClose={onClose} />
  }
}
