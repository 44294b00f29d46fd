import type { TimelineRow } from './queries/timeline.ts'

const to = (screen: string, params: Record<string, string>): string => `/admin/${screen}?${new URLSearchParams(params)}`

/** Where the console shows what an entry is about; null where that is the customer itself. */
export function pathOf({ kind, object_id: id }: Pick<TimelineRow, 'kind' | 'object_id'>): string | null {
  if (kind === 'mail') return to('config', { tab: 'outbox' })
  if (id === null) return null
  if (kind === 'note') return to('customers', { open: id, tab: 'notes' })
  if (kind === 'deployment') return to('deployments', { open: id })
  if (kind === 'purchase') return to('purchases', { open: id })
  if (kind === 'invoice')
    return id.startsWith('sub_')
      ? to('subscriptions', { open: id, view: 'invoices' })
      : to('payments', { customer: id })
  return to(kind === 'subscription' ? 'subscriptions' : 'payments', { open: id })
}
