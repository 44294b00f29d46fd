import type { ComponentType } from 'react'
import type { DialogProps, LifecycleAct } from './acts.ts'
import { DeleteDialog } from './DeleteDialog.tsx'
import { EraseDialog } from './EraseDialog.tsx'
import { RestoreDialog } from './RestoreDialog.tsx'
import { SuspendDialog } from './SuspendDialog.tsx'
import { UnsuspendDialog } from './UnsuspendDialog.tsx'

const dialogs: Record<LifecycleAct, ComponentType<DialogProps>> = {
  suspend: SuspendDialog,
  unsuspend: UnsuspendDialog,
  delete: DeleteDialog,
  restore: RestoreDialog,
  erase: EraseDialog,
}

export function LifecycleDialog({ act, ...props }: DialogProps & { act: LifecycleAct }) {
  const Chosen = dialogs[act]
  return <Chosen key={`${act} ${props.id}`} {...props} />
}
