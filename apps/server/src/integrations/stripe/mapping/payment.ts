import { amount, createdAt, type Fields, fields, flag, idOf, metadataOf, text } from '../fields.ts'

export type PaymentRow = {
  id: string
  customer_id: string | null
  amount: number
  currency: string
  status: 'succeeded' | 'pending' | 'processing' | 'failed' | 'refunded'
  stripe_status: string
  amount_captured: number
  amount_refunded: number
  counts_as_failed: boolean
  payment_method_type: string | null
  description: string | null
  created_at: string
  latest_charge_id: string | null
  failure_code: string | null
  failure_message: string | null
  receipt_email: string | null
  metadata: Record<string, string>
}

type State = Pick<PaymentRow, 'status' | 'counts_as_failed' | 'failure_code' | 'failure_message'>

const state = (status: PaymentRow['status']): State => ({
  status,
  counts_as_failed: false,
  failure_code: null,
  failure_message: null,
})

/** An intent that was cancelled after a failed try still counts as failed; one that nobody tried does not. */
function stateOfIntent(intent: Fields, charge: Fields): State {
  const error = fields(intent['last_payment_error'])
  const hasFailed = Object.keys(error).length > 0
  switch (intent['status']) {
    case 'succeeded':
      return state(flag(charge['refunded']) ? 'refunded' : 'succeeded')
    case 'processing':
      return state('processing')
    case 'canceled':
      return {
        status: 'failed',
        counts_as_failed: hasFailed,
        failure_code: 'canceled',
        failure_message: text(error['message']),
      }
    case 'requires_payment_method':
      if (!hasFailed) return state('pending')
      return {
        status: 'failed',
        counts_as_failed: true,
        failure_code: text(error['decline_code']) ?? text(error['code']) ?? text(error['type']),
        failure_message: text(error['message']),
      }
    default:
      return state('pending')
  }
}

function stateOfCharge(charge: Fields): State {
  switch (charge['status']) {
    case 'succeeded':
      return state(flag(charge['refunded']) ? 'refunded' : 'succeeded')
    case 'failed':
      return {
        status: 'failed',
        counts_as_failed: true,
        failure_code: text(charge['failure_code']),
        failure_message: text(charge['failure_message']),
      }
    default:
      return state('pending')
  }
}

/** What a released authorization gives back was never taken, so it is no refund of money. */
const refundedOf = (charge: Fields, captured: number): number => Math.min(amount(charge['amount_refunded']), captured)

const methodOf = (charge: Fields): string | null => text(fields(charge['payment_method_details'])['type'])

/** An intent with its latest charge expanded. */
export function toPayment(intent: Fields): PaymentRow {
  const charge = fields(intent['latest_charge'])
  const received = amount(intent['amount_received'])
  const hasCharge = charge['id'] !== undefined
  const captured = hasCharge ? amount(charge['amount_captured']) : received
  const types = intent['payment_method_types']
  return {
    id: String(intent['id']),
    customer_id: idOf(intent['customer']),
    amount: received || amount(intent['amount']),
    currency: text(intent['currency']) ?? '',
    ...stateOfIntent(intent, charge),
    stripe_status: text(intent['status']) ?? 'unknown',
    amount_captured: captured,
    amount_refunded: refundedOf(charge, captured),
    payment_method_type: methodOf(charge) ?? (Array.isArray(types) ? text(types[0]) : null),
    description: text(intent['description']),
    created_at: createdAt(intent),
    latest_charge_id: idOf(intent['latest_charge']),
    receipt_email: text(intent['receipt_email']) ?? text(charge['receipt_email']),
    metadata: metadataOf(intent),
  }
}

/** A charge without an intent is a payment of its own. */
export function toLonePayment(charge: Fields): PaymentRow {
  const captured = amount(charge['amount_captured'])
  return {
    id: String(charge['id']),
    customer_id: idOf(charge['customer']),
    amount: amount(charge['amount']),
    currency: text(charge['currency']) ?? '',
    ...stateOfCharge(charge),
    stripe_status: text(charge['status']) ?? 'unknown',
    amount_captured: captured,
    amount_refunded: refundedOf(charge, captured),
    payment_method_type: methodOf(charge),
    description: text(charge['description']),
    created_at: createdAt(charge),
    latest_charge_id: String(charge['id']),
    receipt_email: text(charge['receipt_email']),
    metadata: metadataOf(charge),
  }
}

export type ChargeRow = {
  id: string
  payment_id: string
  customer_id: string | null
  amount: number
  amount_captured: number
  amount_refunded: number
  currency: string
  status: string
  failure_code: string | null
  failure_message: string | null
  created_at: string
}

export const toCharge = (charge: Fields): ChargeRow => ({
  id: String(charge['id']),
  payment_id: idOf(charge['payment_intent']) ?? String(charge['id']),
  customer_id: idOf(charge['customer']),
  amount: amount(charge['amount']),
  amount_captured: amount(charge['amount_captured']),
  amount_refunded: amount(charge['amount_refunded']),
  currency: text(charge['currency']) ?? '',
  status: text(charge['status']) ?? 'unknown',
  failure_code: text(charge['failure_code']),
  failure_message: text(charge['failure_message']),
  created_at: createdAt(charge),
})
