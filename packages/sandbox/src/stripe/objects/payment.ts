import type { Address, Charge, PaymentIntent, PaymentMethod, Refund } from '../types.ts'

export type CardInput = {
  id: string
  created: number
  customer: string | null
  brand: string
  last4: string
  country: string
  expMonth: number
  expYear: number
  fingerprint: string
  billing: { name: string | null; email: string | null; phone: string | null; address: Address | null }
  iban?: { country: string; bankCode: string; last4: string } | null
}

const emptyAddress: Address = {
  city: null,
  country: null,
  line1: null,
  line2: null,
  postal_code: null,
  state: null,
}

export function makePaymentMethod(input: CardInput): PaymentMethod {
  const common = {
    id: input.id,
    object: 'payment_method' as const,
    allow_redisplay: 'always',
    billing_details: {
      address: input.billing.address ?? emptyAddress,
      email: input.billing.email,
      name: input.billing.name,
      phone: input.billing.phone,
      tax_id: null,
    },
    created: input.created,
    customer: input.customer,
    customer_account: null,
    livemode: false,
    metadata: {},
  }
  if (input.iban) {
    return {
      ...common,
      type: 'sepa_debit',
      sepa_debit: {
        bank_code: input.iban.bankCode,
        branch_code: '',
        country: input.iban.country,
        fingerprint: input.fingerprint,
        generated_from: null,
        last4: input.iban.last4,
      },
    }
  }
  return {
    ...common,
    type: 'card',
    card: {
      brand: input.brand,
      checks: {
        address_line1_check: input.billing.address ? 'pass' : null,
        address_postal_code_check: input.billing.address?.postal_code ? 'pass' : null,
        cvc_check: 'pass',
      },
      country: input.country,
      display_brand: input.brand,
      exp_month: input.expMonth,
      exp_year: input.expYear,
      fingerprint: input.fingerprint,
      funding: 'credit',
      generated_from: null,
      last4: input.last4,
      networks: { available: [input.brand], preferred: null },
      regulated_status: 'unregulated',
      three_d_secure_usage: { supported: true },
      wallet: null,
    },
  }
}

export type IntentInput = {
  id: string
  created: number
  amount: number
  currency: string
  customer: string | null
  description: string | null
  paymentMethod: string | null
  methodTypes: string[]
  metadata?: Record<string, string>
  receiptEmail?: string | null
  secret: string
  setupFutureUsage?: 'off_session' | null
}

export function makePaymentIntent(input: IntentInput): PaymentIntent {
  return {
    id: input.id,
    object: 'payment_intent',
    allowed_payment_method_types: null,
    amount: input.amount,
    amount_capturable: 0,
    amount_details: { tip: {} },
    amount_received: 0,
    application: null,
    application_fee_amount: null,
    automatic_payment_methods: null,
    canceled_at: null,
    cancellation_reason: null,
    capture_method: 'automatic',
    client_secret: `${input.id}_secret_${input.secret}`,
    confirmation_method: 'automatic',
    created: input.created,
    currency: input.currency,
    customer: input.customer,
    customer_account: null,
    description: input.description,
    excluded_payment_method_types: null,
    last_payment_error: null,
    latest_charge: null,
    livemode: false,
    managed_payments: { enabled: false },
    metadata: input.metadata ?? {},
    next_action: null,
    on_behalf_of: null,
    payment_method: input.paymentMethod,
    payment_method_configuration_details: null,
    payment_method_options: {
      card: {
        installments: null,
        mandate_options: null,
        network: null,
        request_three_d_secure: 'automatic',
      },
    },
    payment_method_types: input.methodTypes,
    payment_record: null,
    processing: null,
    receipt_email: input.receiptEmail ?? null,
    review: null,
    setup_future_usage: input.setupFutureUsage ?? null,
    shipping: null,
    source: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: 'requires_payment_method',
    transfer_data: null,
    transfer_group: null,
  }
}

export type ChargeInput = {
  id: string
  created: number
  amount: number
  currency: string
  customer: string | null
  description: string | null
  paymentIntent: string | null
  method: PaymentMethod
  receiptEmail?: string | null
  riskScore: number
  authorizationCode: string
  metadata?: Record<string, string>
}

function methodDetails(input: ChargeInput): Charge['payment_method_details'] {
  const { card, sepa_debit: sepa } = input.method
  if (sepa) {
    return {
      type: 'sepa_debit',
      sepa_debit: {
        bank_code: sepa.bank_code ?? null,
        branch_code: sepa.branch_code ?? null,
        country: sepa.country ?? null,
        fingerprint: sepa.fingerprint ?? null,
        last4: sepa.last4 ?? null,
        mandate: null,
      },
    }
  }
  if (!card) throw new Error(`Payment method ${input.method.id} is neither a card nor a bank debit`)
  return {
    type: 'card',
    card: {
      amount_authorized: input.amount,
      authorization_code: input.authorizationCode,
      brand: card.brand,
      checks: card.checks,
      country: card.country,
      electronic_commerce_indicator: null,
      exp_month: card.exp_month,
      exp_year: card.exp_year,
      extended_authorization: { status: 'disabled' },
      fingerprint: card.fingerprint ?? null,
      funding: card.funding,
      incremental_authorization: { status: 'unavailable' },
      installments: null,
      last4: card.last4,
      mandate: null,
      multicapture: { status: 'unavailable' },
      network: card.brand,
      network_token: { used: false },
      network_transaction_id: null,
      overcapture: { maximum_amount_capturable: input.amount, status: 'unavailable' },
      regulated_status: card.regulated_status,
      three_d_secure: null,
      transaction_link_id: null,
      wallet: null,
    },
  }
}

/** The balance transaction of a charge or refund is derived from its id, so it needs no row of its own. */
const balanceTransactionOf = (id: string) => id.replace(/^(ch|re|py)_/, 'txn_')

/** A charge that succeeded; failing it is a change of these values. */
export function makeCharge(input: ChargeInput): Charge {
  return {
    id: input.id,
    object: 'charge',
    amount: input.amount,
    amount_captured: input.amount,
    amount_refunded: 0,
    application: null,
    application_fee: null,
    application_fee_amount: null,
    balance_transaction: balanceTransactionOf(input.id),
    billing_details: input.method.billing_details,
    calculated_statement_descriptor: 'HARBOR AND PINE',
    captured: true,
    created: input.created,
    currency: input.currency,
    customer: input.customer,
    description: input.description,
    disputed: false,
    failure_balance_transaction: null,
    failure_code: null,
    failure_message: null,
    fraud_details: {},
    livemode: false,
    metadata: input.metadata ?? {},
    on_behalf_of: null,
    outcome: {
      advice_code: null,
      network_advice_code: null,
      network_decline_code: null,
      network_status: 'approved_by_network',
      reason: null,
      risk_level: 'normal',
      risk_score: input.riskScore,
      seller_message: 'Payment complete.',
      type: 'authorized',
    },
    paid: true,
    payment_intent: input.paymentIntent,
    payment_method: input.method.id,
    payment_method_details: methodDetails(input),
    radar_options: {},
    receipt_email: input.receiptEmail ?? null,
    receipt_number: null,
    receipt_url: `https://pay.stripe.com/receipts/payment/${input.id}`,
    refunded: false,
    review: null,
    shipping: null,
    source: null,
    source_transfer: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: 'succeeded',
    transfer_data: null,
    transfer_group: null,
  }
}

export function makeRefund(input: {
  id: string
  created: number
  charge: Charge
  amount: number
  reason: string | null
  status: string
  metadata?: Record<string, string>
}): Refund {
  const { charge } = input
  return {
    id: input.id,
    object: 'refund',
    amount: input.amount,
    balance_transaction: balanceTransactionOf(input.id),
    charge: charge.id,
    created: input.created,
    currency: charge.currency,
    customer: charge.customer,
    customer_account: null,
    destination_details: {
      card: {
        reference_status: input.status === 'succeeded' ? 'pending' : 'unavailable',
        reference_type: 'acquirer_reference_number',
        type: 'refund',
      },
      type: 'card',
    },
    metadata: input.metadata ?? {},
    payment_intent: charge.payment_intent,
    payment_method: charge.payment_method,
    reason: input.reason,
    receipt_number: null,
    source_transfer_reversal: null,
    status: input.status,
    transfer_reversal: null,
  }
}
