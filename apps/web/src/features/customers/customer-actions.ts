import type { Customer } from '@agency/contract/types'
import type { Action } from '../../ui/action.ts'
import { type LifecycleOptions, lifecycleActions } from './lifecycle/lifecycle-actions.ts'

export type CustomerAct = { kind: 'add' } | { kind: 'edit' | 'subscribe'; id: string }

type Options = {
  href: string
  /** Why the actor may not change customers, or undefined. */
  denial: string | undefined
  /** Why the actor may not start subscriptions, or undefined. */
  subscribeDenial: string | undefined
  /** Where the customer can be impersonated, or why the actor may not. */
  impersonate: { href: string; denial: string | undefined }
  lifecycle: LifecycleOptions
  onAct: (act: CustomerAct) => void
}

export function editBlock({ deleted, status }: Pick<Customer, 'deleted' | 'status'>): string | undefined {
  if (status === 'deleted') return 'Deleted: restore first'
  return deleted ? 'Deleted at Stripe' : undefined
}

export function customerActions(
  row: Customer,
  { href, denial, subscribeDenial, impersonate, lifecycle, onAct }: Options,
): Action[] {
  const impersonateBlock = impersonate.denial ?? editBlock(row)
  return [
    { label: 'View Details', href },
    {
      label: 'Edit Customer',
      disabledReason: denial ?? editBlock(row),
      onSelect: () => onAct({ kind: 'edit', id: row.id }),
    },
    {
      label: 'New Subscription',
      disabledReason: subscribeDenial ?? editBlock(row),
      onSelect: () => onAct({ kind: 'subscribe', id: row.id }),
    },
    { label: 'Impersonate', ...(impersonateBlock ? { disabledReason: impersonateBlock } : { href: impersonate.href }) },
    ...lifecycleActions(row, lifecycle),
  ]
}
