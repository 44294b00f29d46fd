import type { Payment, Subscription } from '@agency/contract/types'
import type { OpenInvoiceAct } from '../../lib/invoice-parts.ts'
import type { Action } from '../../ui/action.ts'
import type { Act } from './billing-act.ts'

type Options = {
  /** Why the actor may not move money, or undefined. */
  denial: string | undefined
  onAct: (act: Act) => void
}

type Subject = Omit<OpenInvoiceAct, 'act'>

const isBehind: ReadonlySet<Subscription['status']> = new Set(['past_due', 'unpaid', 'incomplete'])

/** Whose open invoices are to be collected; null where nothing is due. */
export const ofSubscription = ({ id, status, customer_id }: Subscription): Subject | null =>
  isBehind.has(status) ? { customerId: customer_id, subscriptionId: id } : null

/** The invoice that a failed payment was for. */
export const ofPayment = ({ id, status, customer_id }: Payment): Subject | null =>
  status === 'failed' && customer_id !== null ? { customerId: customer_id, paymentId: id } : null

/** How what is due is collected: all of it acts on the open invoice. */
export function collectActions(subject: Subject | null, { denial, onAct }: Options): Action[] {
  if (!subject) return []
  const open = (act: OpenInvoiceAct['act']) => () => onAct({ kind: 'open-invoice', act, ...subject })
  return [
    { label: 'Charge now', divider: true, disabledReason: denial, onSelect: open('pay') },
    { label: 'Mark as paid', disabledReason: denial, onSelect: open('mark_paid') },
    { label: 'Copy payment link', onSelect: open('copy_link') },
    { label: 'Email payment link', disabledReason: denial, onSelect: open('email_link') },
  ]
}
