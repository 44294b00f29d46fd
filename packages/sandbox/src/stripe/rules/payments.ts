import { day } from '../../world/periods.ts'
import type { World } from '../../world/world.ts'
import { makeCharge, makePaymentIntent } from '../objects/payment.ts'
import type { Charge, Customer, PaymentIntent, PaymentMethod } from '../types.ts'
import { declineOf } from './declines.ts'

export type Attempt = 'succeeded' | 'failed' | 'processing' | 'requires_action'

const settlementDays = 4

export type NewIntent = {
  customer: Customer | null
  amount: number
  currency: string
  description: string | null
  method: PaymentMethod | null
  metadata?: Record<string, string>
  offSession?: boolean
}

export function createIntent(world: World, input: NewIntent): PaymentIntent {
  const intent = makePaymentIntent({
    id: world.newId('pi'),
    created: world.now,
    amount: input.amount,
    currency: input.currency,
    customer: input.customer?.id ?? null,
    description: input.description,
    paymentMethod: input.method?.id ?? null,
    methodTypes: [input.method?.type ?? 'card'],
    metadata: input.metadata ?? {},
    receiptEmail: input.customer?.email ?? null,
    secret: world.ids.text(25),
    setupFutureUsage: input.offSession ? 'off_session' : null,
  })
  return world.insert('payment_intent', intent, { event: 'payment_intent.created' })
}

/** Charges an intent once. How it ends is decided by the payment method's outcome. */
export async function attemptIntent(world: World, intentId: string, methodId: string): Promise<Attempt> {
  const intent = await world.need('payment_intent', intentId)
  const method = await world.need('payment_method', methodId)
  const { outcome } = await world.priv('payment_method', methodId)
  if (outcome && 'decline' in outcome) {
    if (outcome.times !== 0) {
      const left = outcome.times === null ? null : outcome.times - 1
      await world.setPriv('payment_method', methodId, { outcome: { decline: outcome.decline, times: left } })
      await declineIntent(world, intent, method, outcome.decline)
      return 'failed'
    }
  } else if (outcome && 'requiresAction' in outcome) {
    await askForAction(world, intent, method)
    return 'requires_action'
  } else if (outcome || method.type === 'sepa_debit') {
    await startSettlement(world, intent, method)
    return 'processing'
  }
  await captureIntent(world, intent, method)
  return 'succeeded'
}

function chargeFor(world: World, intent: PaymentIntent, method: PaymentMethod): Charge {
  return makeCharge({
    id: world.newId(method.type === 'card' ? 'ch' : 'py'),
    created: world.now,
    amount: intent.amount,
    currency: intent.currency,
    customer: intent.customer,
    description: intent.description,
    paymentIntent: intent.id,
    method,
    receiptEmail: intent.receipt_email,
    riskScore: world.random.int(3, 58),
    authorizationCode: String(world.random.int(100_000, 999_999)),
    metadata: intent.metadata,
  })
}

async function captureIntent(world: World, intent: PaymentIntent, method: PaymentMethod): Promise<void> {
  const charge = world.insert('charge', chargeFor(world, intent, method), { event: 'charge.succeeded' })
  await world.change(
    'payment_intent',
    intent.id,
    (draft) => {
      draft.status = 'succeeded'
      draft.amount_received = draft.amount
      draft.latest_charge = charge.id
      draft.payment_method = method.id
      draft.last_payment_error = null
      draft.next_action = null
      draft.processing = null
    },
    'payment_intent.succeeded',
  )
}

async function declineIntent(
  world: World,
  intent: PaymentIntent,
  method: PaymentMethod,
  reason: string,
): Promise<void> {
  const decline = declineOf(reason)
  const charge: Charge = {
    ...chargeFor(world, intent, method),
    amount_captured: 0,
    captured: false,
    balance_transaction: null,
    failure_code: decline.code,
    failure_message: decline.message,
    outcome: {
      advice_code: decline.advice,
      network_advice_code: null,
      network_decline_code: '05',
      network_status: 'declined_by_network',
      reason: decline.declineCode,
      risk_level: 'normal',
      risk_score: world.random.int(3, 64),
      seller_message: `The bank returned the decline code \`${decline.declineCode}\`.`,
      type: 'issuer_declined',
    },
    paid: false,
    receipt_url: null,
    status: 'failed',
  }
  world.insert('charge', charge, { event: 'charge.failed' })
  await world.change(
    'payment_intent',
    intent.id,
    (draft) => {
      draft.status = 'requires_payment_method'
      draft.latest_charge = charge.id
      draft.payment_method = null
      draft.processing = null
      draft.last_payment_error = {
        charge: charge.id,
        code: decline.code,
        decline_code: decline.declineCode,
        doc_url: `https://stripe.com/docs/error-codes/${decline.code.replaceAll('_', '-')}`,
        message: decline.message,
        type: 'card_error',
        ...(decline.advice ? { advice_code: decline.advice } : {}),
      }
    },
    'payment_intent.payment_failed',
  )
}

async function askForAction(world: World, intent: PaymentIntent, method: PaymentMethod): Promise<void> {
  await world.change(
    'payment_intent',
    intent.id,
    (draft) => {
      draft.status = 'requires_action'
      draft.payment_method = method.id
      draft.next_action = {
        type: 'redirect_to_url',
        redirect_to_url: { return_url: null, url: `https://hooks.stripe.com/3d_secure_2/hosted?intent=${intent.id}` },
      }
    },
    'payment_intent.requires_action',
  )
}

async function startSettlement(world: World, intent: PaymentIntent, method: PaymentMethod): Promise<void> {
  const charge: Charge = { ...chargeFor(world, intent, method), captured: true, paid: true, status: 'pending' }
  world.insert('charge', charge, { event: 'charge.pending' })
  await world.change(
    'payment_intent',
    intent.id,
    (draft) => {
      draft.status = 'processing'
      draft.latest_charge = charge.id
      draft.payment_method = method.id
      draft.processing = method.type === 'card' ? { type: 'card' } : null
    },
    'payment_intent.processing',
  )
  world.schedule('settle', intent.id, world.now + settlementDays * day)
}

/** The bank confirms a debit that was under way. */
export async function settleIntent(world: World, intentId: string): Promise<boolean> {
  const intent = await world.get('payment_intent', intentId)
  if (intent?.status !== 'processing' || !intent.latest_charge) return false
  await world.change('charge', intent.latest_charge, { status: 'succeeded' }, 'charge.succeeded')
  await world.change(
    'payment_intent',
    intentId,
    (draft) => {
      draft.status = 'succeeded'
      draft.amount_received = draft.amount
      draft.processing = null
    },
    'payment_intent.succeeded',
  )
  return true
}

export async function cancelIntent(world: World, intentId: string, reason: string): Promise<void> {
  const intent = await world.get('payment_intent', intentId)
  if (!intent || intent.status === 'succeeded' || intent.status === 'canceled') return
  await world.change(
    'payment_intent',
    intentId,
    (draft) => {
      draft.status = 'canceled'
      draft.canceled_at = world.now
      draft.cancellation_reason = reason
      draft.next_action = null
    },
    'payment_intent.canceled',
  )
}

/** The method that pays for a customer: the subscription's own, else the customer's default. */
export async function methodOf(
  world: World,
  customer: Customer,
  preferred: string | null,
): Promise<PaymentMethod | null> {
  const id = preferred ?? customer.invoice_settings.default_payment_method
  return id ? ((await world.get('payment_method', id)) ?? null) : null
}
