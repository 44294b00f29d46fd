import type { Charge, Dispute } from '../types.ts'
import { disputeTransaction } from './balance-transaction.ts'

export const noEvidence = {
  access_activity_log: null,
  billing_address: null,
  cancellation_policy: null,
  cancellation_policy_disclosure: null,
  cancellation_rebuttal: null,
  customer_communication: null,
  customer_email_address: null,
  customer_name: null,
  customer_purchase_ip: null,
  customer_signature: null,
  duplicate_charge_documentation: null,
  duplicate_charge_explanation: null,
  duplicate_charge_id: null,
  enhanced_evidence: {},
  product_description: null,
  receipt: null,
  refund_policy: null,
  refund_policy_disclosure: null,
  refund_refusal_explanation: null,
  service_date: null,
  service_documentation: null,
  shipping_address: null,
  shipping_carrier: null,
  shipping_date: null,
  shipping_documentation: null,
  shipping_tracking_number: null,
  uncategorized_file: null,
  uncategorized_text: null,
} satisfies Dispute['evidence']

const networkReasonCodes: Record<string, string> = {
  fraudulent: '10.4',
  product_not_received: '13.1',
  subscription_canceled: '13.2',
  duplicate: '12.6.1',
}

export function makeDispute(input: {
  id: string
  created: number
  charge: Charge
  amount: number
  reason: string
  dueBy: number
}): Dispute {
  const { charge } = input
  const brand = charge.payment_method_details?.card?.brand ?? 'visa'
  const code = networkReasonCodes[input.reason] ?? '10.4'
  return {
    id: input.id,
    object: 'dispute',
    amount: input.amount,
    balance_transactions: [
      disputeTransaction(
        { id: input.id, amount: input.amount, currency: charge.currency },
        { won: false, created: input.created },
      ),
    ],
    charge: charge.id,
    created: input.created,
    currency: charge.currency,
    enhanced_eligibility_types: [],
    evidence: {
      ...structuredClone(noEvidence),
      customer_email_address: charge.billing_details.email,
      customer_name: charge.billing_details.name,
      product_description: charge.description,
    },
    evidence_details: {
      due_by: input.dueBy,
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
      submission_method: 'not_submitted',
    },
    intended_submission_method: null,
    is_charge_refundable: false,
    livemode: false,
    metadata: {},
    payment_intent: charge.payment_intent,
    payment_method_details: {
      card: { brand, case_type: 'chargeback', network: brand, network_reason_code: code },
      type: 'card',
    },
    reason: input.reason,
    status: 'needs_response',
  }
}
