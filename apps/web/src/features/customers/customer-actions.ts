import type { Customer } from '@agency/contract/types'
import type { Action } from '../../ui/action.ts'
import { type LifecycleOptions, lifecycleActions } from './lifecycle/lifecycle-actions.ts'

export type CustomerAct = { kind: 'add' } | { kind: 'edit'; id: string }

type Options = {
  href: string
  /** Why the actor may not change customers, or undefined. */
  denial: string | undefined
  /** Where the customer can be impersonated, or why the actor may not. */
  impersonate: { href: string; denial: string | undefined }
  lifecycle: LifecycleOptions
  onAct: (act: CustomerAct) => void
}

export function editBlock({ deleted, status }: Pick<Customer, 'deleted' | 'status'>): string | undefined {
  if (status === 'deleted') return 'It is deleted here: restore it first'
  return deleted ? 'It was deleted at Stripe' : undefined
}

export function customerActions(row: Customer, { href, denial, impersonate, lifecycle, onAct }: Options): Action[] {
  const impersonateBlock = impersonate.denial ?? editBlock(row)
  return [
    { label: 'View Details', href },
    {
      label: 'Edit Customer',
      disabledReason: denial ?? editBlock(row),
      onSelect: () => onAct({ kind: 'edit', id: row.id }),
    },
    { label: 'Impersonate', ...(impersonateBlock ? { disabledReason: impersonateBlock } : { href: impersonate.href }) },
    ...lifecycleActions(row, lifecycle),
  ]
}
