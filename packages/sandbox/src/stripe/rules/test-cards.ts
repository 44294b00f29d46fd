import type { World } from '../../world/world.ts'
import { makePaymentMethod } from '../objects/payment.ts'
import type { CardOutcome, Customer, PaymentMethod } from '../types.ts'

type TestCard = { brand: string; last4: string; outcome?: CardOutcome }

const failing = (decline: string): CardOutcome => ({ decline, times: null })

/** Stripe's own test tokens, so that one suite can run here and against its test mode. */
const testCards: Record<string, TestCard> = {
  pm_card_visa: { brand: 'visa', last4: '4242' },
  pm_card_mastercard: { brand: 'mastercard', last4: '4444' },
  pm_card_amex: { brand: 'amex', last4: '8431' },
  pm_card_chargeCustomerFail: { brand: 'visa', last4: '0341', outcome: failing('generic_decline') },
  pm_card_visa_chargeDeclinedInsufficientFunds: {
    brand: 'visa',
    last4: '9995',
    outcome: failing('insufficient_funds'),
  },
  pm_card_chargeDeclinedExpiredCard: { brand: 'visa', last4: '0069', outcome: failing('expired_card') },
  pm_card_authenticationRequired: { brand: 'visa', last4: '3184', outcome: { requiresAction: true } },
}

/** Attaches a payment method, or a fresh one of a test token, to a customer. Undefined when there is none such. */
export async function attachMethod(world: World, customer: Customer, id: string): Promise<PaymentMethod | undefined> {
  const card = testCards[id]
  if (!card) {
    const method = await world.get('payment_method', id)
    if (!method || method.customer === customer.id) return method
    return await world.change('payment_method', id, { customer: customer.id }, 'payment_method.attached')
  }
  const method = makePaymentMethod({
    id: world.newId('pm'),
    created: world.now,
    customer: customer.id,
    brand: card.brand,
    last4: card.last4,
    country: 'US',
    expMonth: 12,
    expYear: new Date(world.now * 1000).getUTCFullYear() + 2,
    fingerprint: world.ids.text(16),
    billing: {
      name: customer.name ?? null,
      email: customer.email,
      phone: customer.phone ?? null,
      address: customer.address ?? null,
    },
  })
  const priv = card.outcome ? { outcome: card.outcome } : {}
  return world.insert('payment_method', method, { event: 'payment_method.attached', priv })
}
