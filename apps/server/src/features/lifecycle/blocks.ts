import type { RunRow } from '../../platform/runs/queries.ts'
import type { Options, Situation } from './plan.ts'

const runNames: Record<string, string> = {
  suspend: 'suspending this customer',
  unsuspend: 'lifting the suspension of this customer',
  delete: 'deleting this customer',
  erase: 'erasing this customer',
}

/** Why it cannot be done now; null when it can. */
export function blockOf(
  kind: Options['kind'],
  { customer, state }: Situation,
  open: RunRow | undefined,
): string | null {
  if (open) return `${open.actor_name} is ${runNames[open.kind] ?? 'changing this customer'} right now`
  const isHidden = Boolean(state?.deleted_at)
  switch (kind) {
    case 'suspend':
      if (isHidden) return 'This customer is deleted: restore first'
      return state?.suspended_at ? 'This customer is already suspended' : null
    case 'unsuspend':
      if (state?.suspended_at) return null
      return customer.suspended_hint
        ? 'Suspended by metadata at Stripe (status: suspended): change it with Edit Customer'
        : 'This customer is not suspended'
    case 'delete':
      return isHidden ? 'This customer is already deleted' : null
    case 'erase':
      if (state?.erased_at) return 'This customer is already erased'
      return isHidden ? null : 'Delete the customer first, then erase'
  }
}
