import type { Payment, Subscription } from '@agency/contract/types'
import type { OpenInvoiceAct } from '../../lib/invoice-parts.ts'

/** A money dialog that is open. It is not in the URL: a reload must not start an act. */
export type Act =
  | { kind: 'cancel' | 'undo-cancel' | 'pause' | 'resume' | 'change-plan'; subscription: Subscription }
  | { kind: 'refund'; payment: Payment }
  | { kind: 'refund-subscription'; subscription: Subscription }
  | ({ kind: 'open-invoice' } & OpenInvoiceAct)
  | { kind: 'send-invoice'; subscription: Subscription }
