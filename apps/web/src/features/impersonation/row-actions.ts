import type { Impersonation } from '@agency/contract/types'
import { paths } from '../../lib/paths.ts'
import type { Action } from '../../ui/action.ts'

export function endBlock({ way, state }: Impersonation, denial: string | undefined): string | undefined {
  if (way === 'portal') return 'Billing portal sessions can only be ended at Stripe'
  return state === 'live' ? denial : 'Already ended'
}

type Options = { href: string; denial: string | undefined; onEnd: () => void }

export function rowActions(row: Impersonation, { href, denial, onEnd }: Options): Action[] {
  const isOpen = row.is_mine && row.state === 'live'
  return [
    { label: 'View Details', href },
    ...(isOpen ? [{ label: 'Open View', href: paths.impersonationView(row.id) }] : []),
    row.customer_deleted
      ? { label: 'Open Customer', disabledReason: 'The customer was deleted' }
      : { label: 'Open Customer', href: paths.customer(row.customer_id) },
    { label: 'End View', divider: true, disabledReason: endBlock(row, denial), onSelect: onEnd },
  ]
}
