import type { CheckoutSession, Customer, Price, SessionLine } from '../types.ts'

export type SessionInput = {
  id: string
  created: number
  mode: 'payment' | 'subscription'
  customer: Customer | null
  email: string | null
  name: string | null
  currency: string
  lines: SessionLine[]
  discount: number
  metadata: Record<string, string>
  clientReferenceId?: string | null
  expiresAt: number
}

export function makeSessionLine(input: {
  id: string
  price: Price
  quantity: number
  description: string
  discount: number
}): SessionLine {
  const subtotal = (input.price.unit_amount ?? 0) * input.quantity
  return {
    id: input.id,
    object: 'item',
    adjustable_quantity: null,
    amount_discount: input.discount,
    amount_subtotal: subtotal,
    amount_tax: 0,
    amount_total: subtotal - input.discount,
    currency: input.price.currency,
    description: input.description,
    metadata: {},
    price: input.price,
    quantity: input.quantity,
  }
}

const unused = {
  adaptive_pricing: { enabled: false },
  after_expiration: null,
  allow_promotion_codes: null,
  allowed_payment_method_types: null,
  automatic_tax: { enabled: false, liability: null, provider: null, status: null },
  billing_address_collection: null,
  client_secret: null,
  collected_information: null,
  consent: null,
  consent_collection: null,
  currency_conversion: null,
  custom_fields: [],
  custom_text: { after_submit: null, shipping_address: null, submit: null, terms_of_service_acceptance: null },
  customer_account: null,
  customer_email: null,
  discounts: [],
  integration_identifier: null,
  livemode: false,
  locale: null,
  managed_payments: { enabled: false },
  origin_context: null,
  payment_link: null,
  payment_method_collection: 'if_required',
  payment_method_configuration_details: null,
  payment_method_options: { card: { request_three_d_secure: 'automatic' as const } },
  permissions: null,
  phone_number_collection: { enabled: false },
  recovered_from: null,
  saved_payment_method_options: null,
  setup_intent: null,
  shipping_address_collection: null,
  shipping_cost: null,
  shipping_options: [],
  submit_type: null,
  wallet_options: null,
}

/** A session as it opens: unpaid, nothing decided. */
export function makeSession(input: SessionInput): CheckoutSession {
  const subtotal = input.lines.reduce((sum, line) => sum + line.amount_subtotal, 0)
  return {
    ...structuredClone(unused),
    id: input.id,
    object: 'checkout.session',
    amount_subtotal: subtotal,
    amount_total: subtotal - input.discount,
    cancel_url: 'https://harborandpine.example/order/cancelled',
    client_reference_id: input.clientReferenceId ?? null,
    created: input.created,
    currency: input.currency,
    customer: input.customer?.id ?? null,
    customer_creation: input.customer ? null : 'if_required',
    customer_details: {
      address: input.customer?.address ?? null,
      business_name: null,
      email: input.email,
      individual_name: null,
      name: input.name,
      phone: input.customer?.phone ?? null,
      tax_exempt: 'none',
      tax_ids: [],
    },
    expires_at: input.expiresAt,
    invoice: null,
    invoice_creation:
      input.mode === 'payment'
        ? {
            enabled: false,
            invoice_data: {
              account_tax_ids: null,
              custom_fields: null,
              description: null,
              footer: null,
              issuer: null,
              metadata: {},
              rendering_options: null,
            },
          }
        : null,
    line_items: {
      object: 'list',
      data: input.lines,
      has_more: false,
      url: `/v1/checkout/sessions/${input.id}/line_items`,
    },
    metadata: input.metadata,
    mode: input.mode,
    payment_intent: null,
    payment_method_types: ['card'],
    payment_status: 'unpaid',
    status: 'open',
    subscription: null,
    success_url: 'https://harborandpine.example/order/thanks?session_id={CHECKOUT_SESSION_ID}',
    total_details: { amount_discount: input.discount, amount_shipping: 0, amount_tax: 0 },
    ui_mode: 'hosted_page',
    url: `https://checkout.stripe.com/c/pay/${input.id}`,
  }
}
