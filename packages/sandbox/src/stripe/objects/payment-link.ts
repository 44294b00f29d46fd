import type { PaymentLink, SessionLine } from '../types.ts'

export type PaymentLinkInput = {
  id: string
  /** What its address ends with. */
  code: string
  lines: SessionLine[]
  active?: boolean
  allowPromotionCodes?: boolean
  trialDays?: number | null
  metadata?: Record<string, string>
}

const unused = {
  after_completion: { hosted_confirmation: { custom_message: null }, type: 'hosted_confirmation' },
  application: null,
  application_fee_amount: null,
  application_fee_percent: null,
  automatic_tax: { enabled: false, liability: null },
  billing_address_collection: 'auto',
  consent_collection: null,
  custom_fields: [],
  custom_text: { after_submit: null, shipping_address: null, submit: null, terms_of_service_acceptance: null },
  inactive_message: null,
  invoice_creation: null,
  livemode: false,
  managed_payments: { enabled: false },
  on_behalf_of: null,
  optional_items: null,
  payment_intent_data: null,
  payment_method_collection: 'always',
  payment_method_options: null,
  payment_method_types: null,
  phone_number_collection: { enabled: false },
  restrictions: null,
  shipping_address_collection: null,
  shipping_options: [],
  submit_type: 'auto',
  tax_id_collection: { enabled: false, required: 'never' },
  transfer_data: null,
} satisfies Partial<PaymentLink>

export const recurs = (lines: readonly SessionLine[]): boolean => lines.some(({ price }) => price?.type === 'recurring')

export function makePaymentLink(input: PaymentLinkInput): PaymentLink {
  const isSubscription = recurs(input.lines)
  return {
    ...structuredClone(unused),
    id: input.id,
    object: 'payment_link',
    active: input.active ?? true,
    allow_promotion_codes: input.allowPromotionCodes ?? false,
    currency: input.lines[0]?.currency ?? 'usd',
    customer_creation: isSubscription ? 'always' : 'if_required',
    line_items: {
      object: 'list',
      data: input.lines,
      has_more: false,
      url: `/v1/payment_links/${input.id}/line_items`,
    },
    metadata: input.metadata ?? {},
    subscription_data: isSubscription
      ? {
          description: null,
          invoice_settings: {
            account_tax_ids: null,
            custom_fields: null,
            description: null,
            footer: null,
            issuer: { type: 'self' },
          },
          metadata: {},
          trial_period_days: input.trialDays ?? null,
          trial_settings: null,
        }
      : null,
    url: `https://buy.stripe.com/test_${input.code}`,
  }
}
