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
  if (open) return `${open.actor_name} is ${runNames[open.kind] ?? 'at work on this customer'} right now`
  const isHidden = Boolean(state?.deleted_at)
  switch (kind) {
    case 'suspend':
      if (isHidden) return 'This customer is deleted: restore it first'
      return state?.suspended_at ? 'This customer is suspended already' : null
    case 'unsuspend':
      if (state?.suspended_at) return null
      return customer.suspended_hint
        ? 'This customer is suspended by its metadata at Stripe (status: suspended): change that with Edit Customer'
        : 'This customer is not suspended'
    case 'delete':
      return isHidden ? 'This customer is deleted already' : null
    case 'erase':
      if (state?.erased_at) return 'This customer is erased already'
      return isHidden ? null : 'Only a deleted customer can be erased: delete it first'
  }
}
