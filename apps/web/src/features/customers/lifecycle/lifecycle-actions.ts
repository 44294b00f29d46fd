import type { Customer } from '@agency/contract/types'
import type { Action } from '../../../ui/action.ts'
import type { LifecycleAct } from './acts.ts'

export type LifecycleOptions = {
  /** Why the actor may not suspend or delete, or undefined. */
  denials: { write: string | undefined; delete: string | undefined; erase: string | undefined }
  onAct: (act: LifecycleAct, id: string) => void
}

/** What may be done to the account itself; which of the two of a pair depends on how it stands. */
export function lifecycleActions(
  { id, status }: Pick<Customer, 'id' | 'status'>,
  { denials, onAct }: LifecycleOptions,
): Action[] {
  const act = (label: string, what: LifecycleAct, disabledReason: string | undefined): Action => ({
    label,
    disabledReason,
    onSelect: () => onAct(what, id),
  })
  if (status === 'deleted') {
    return [
      { ...act('Restore Customer', 'restore', denials.delete), divider: true },
      { ...act('Erase now', 'erase', denials.delete ?? denials.erase), destructive: true },
    ]
  }
  const suspension =
    status === 'suspended'
      ? act('Lift suspension', 'unsuspend', denials.write)
      : act('Suspend Account', 'suspend', denials.write)
  return [
    { ...suspension, divider: true },
    { ...act('Delete Customer', 'delete', denials.delete), destructive: true },
  ]
}

/** Why one of several is left out, or undefined. */
export function suspendBlock({ status }: Pick<Customer, 'status'>): string | undefined {
  if (status === 'deleted') return 'Deleted: restore first'
  return status === 'suspended' ? 'Already suspended' : undefined
}
export const liftBlock = ({ status }: Pick<Customer, 'status'>): string | undefined =>
  status === 'suspended' ? undefined : 'Not suspended'
