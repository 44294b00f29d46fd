import type { Customer } from '@agency/contract/descriptors'
import type { Action } from '../../ui/action.ts'

export type CustomerAct = { kind: 'add' } | { kind: 'edit'; id: string }

type Options = {
  href: string
  /** Why the actor may not change customers, or undefined. */
  denial: string | undefined
  onAct: (act: CustomerAct) => void
}

export const editBlock = ({ deleted }: Pick<Customer, 'deleted'>): string | undefined =>
  deleted ? 'It was deleted at Stripe' : undefined

export function customerActions(row: Customer, { href, denial, onAct }: Options): Action[] {
  return [
    { label: 'View Details', href },
    {
      label: 'Edit Customer',
      disabledReason: denial ?? editBlock(row),
      onSelect: () => onAct({ kind: 'edit', id: row.id }),
    },
    { label: 'Impersonate', disabledReason: 'Signing in as a customer is not built yet' },
    { label: 'Suspend Account', disabledReason: 'Suspending accounts is not built yet', divider: true },
    { label: 'Delete Customer', disabledReason: 'Deleting customers is not built yet', destructive: true },
  ]
}
