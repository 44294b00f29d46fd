import { createdAt, currencyOf, type Fields, fields, idOf, integer, metadataOf, neededAmount, text } from '../fields.ts'

export type PaymentRow = {
  id: string
  customer_id: string | null
  amount: number
  currency: string
  status: 'succeeded' | 'pending' | 'processing' | 'failed' | 'refunded' | 'uncaptured' | 'unknown'
  stripe_status: string
  /** null: the provider did not say. */
  amount_captured: number | null
  amount_refunded: number | null
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

type Taken = Pick<PaymentRow, 'amount' | 'amount_captured' | 'amount_refunded'>

/** A charge succeeds with its authorization, whether or not any money was taken then. */
function stateOfTaken(charge: Fields, { amount, amount_captured: captured, amount_refunded: back }: Taken): State {
  if (captured === null) return state('unknown')
  if (captured === 0 && amount > 0) return state('uncaptured')
  if (back === null) return state('unknown')
  const isRefunded = typeof charge['refunded'] === 'boolean' ? charge['refunded'] : back > 0 && back >= captured
  return state(isRefunded ? 'refunded' : 'succeeded')
}

/** An intent that was cancelled after a failed try still counts as failed; one that nobody tried does not. */
function stateOfIntent(intent: Fields, charge: Fields, taken: Taken): State {
  const error = fields(intent['last_payment_error'])
  const hasFailed = Object.keys(error).length > 0
  switch (intent['status']) {
    case 'succeeded':
      return stateOfTaken(charge, taken)
    case 'requires_capture':
      return state('uncaptured')
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

function stateOfCharge(charge: Fields, taken: Taken): State {
  switch (charge['status']) {
    case 'succeeded':
      return stateOfTaken(charge, taken)
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

const capturedOf = (charge: Fields): number | null =>
  integer(charge['amount_captured']) ?? (charge['captured'] === false ? 0 : null)

/** What a released authorization gives back was never taken, so it is no refund of money. */
function refundedOf(charge: Fields, captured: number | null): number | null {
  const back = integer(charge['amount_refunded'])
  if (captured === 0) return 0
  return back === null || captured === null ? back : Math.min(back, captured)
}

const methodOf = (charge: Fields): string | null => text(fields(charge['payment_method_details'])['type'])

/** An intent with its latest charge expanded. */
export function toPayment(intent: Fields): PaymentRow {
  const charge = fields(intent['latest_charge'])
  const received = integer(intent['amount_received'])
  const captured = capturedOf(charge) ?? received
  const taken = {
    amount: received || neededAmount(intent),
    amount_captured: captured,
    // Nothing goes back without a charge.
    amount_refunded: idOf(intent['latest_charge']) === null ? 0 : refundedOf(charge, captured),
  }
  const types = intent['payment_method_types']
  return {
    id: String(intent['id']),
    customer_id: idOf(intent['customer']),
    ...taken,
    currency: currencyOf(intent),
    ...stateOfIntent(intent, charge, taken),
    stripe_status: text(intent['status']) ?? 'unknown',
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
  const captured = capturedOf(charge)
  const taken = {
    amount: neededAmount(charge),
    amount_captured: captured,
    amount_refunded: refundedOf(charge, captured),
  }
  return {
    id: String(charge['id']),
    customer_id: idOf(charge['customer']),
    ...taken,
    currency: currencyOf(charge),
    ...stateOfCharge(charge, taken),
    stripe_status: text(charge['status']) ?? 'unknown',
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
  amount_captured: number | null
  amount_refunded: number | null
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
  amount: neededAmount(charge),
  amount_captured: capturedOf(charge),
  amount_refunded: integer(charge['amount_refunded']),
  currency: currencyOf(charge),
  status: text(charge['status']) ?? 'unknown',
  failure_code: text(charge['failure_code']),
  failure_message: text(charge['failure_message']),
  created_at: createdAt(charge),
})
