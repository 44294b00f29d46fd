import { day } from '../../world/periods.ts'
import type { World } from '../../world/world.ts'
import { makeSession, makeSessionLine } from '../objects/checkout.ts'
import type { CheckoutSession, Customer, PaymentMethod, Price } from '../types.ts'
import { attemptIntent, createIntent } from './payments.ts'

export type NewSession = {
  customer: Customer | null
  email: string | null
  name: string | null
  lines: { price: Price; quantity: number; description: string }[]
  discount?: number
  metadata: Record<string, string>
}

export function openSession(world: World, input: NewSession): CheckoutSession {
  const discount = input.discount ?? 0
  const lines = input.lines.map(({ price, quantity, description }, index) =>
    makeSessionLine({ id: world.newId('li'), price, quantity, description, discount: index === 0 ? discount : 0 }),
  )
  const session = makeSession({
    id: world.newId('cs_test'),
    created: world.now,
    mode: 'payment',
    customer: input.customer,
    email: input.email,
    name: input.name,
    currency: input.lines[0]?.price.currency ?? 'usd',
    lines,
    discount,
    metadata: input.metadata,
    clientReferenceId: input.metadata['site_id'] ?? null,
    expiresAt: world.now + day,
  })
  world.schedule('expire_session', session.id, session.expires_at)
  return world.insert('checkout.session', session)
}

/** The visitor pays. A bank debit completes the session first and is confirmed days later. */
export async function completeSession(
  world: World,
  id: string,
  method: PaymentMethod | null,
): Promise<CheckoutSession> {
  const session = await world.need('checkout.session', id)
  if (session.status !== 'open') return session
  const amount = session.amount_total ?? 0
  const customer = session.customer ? ((await world.get('customer', session.customer)) ?? null) : null
  if (amount === 0 || !method) return await closeSession(world, id, null, 'no_payment_required')
  const intent = createIntent(world, {
    customer,
    amount,
    currency: session.currency ?? 'usd',
    description: session.metadata?.['site_name'] ? `Website: ${session.metadata['site_name']}` : null,
    method,
    metadata: session.metadata ?? {},
  })
  const attempt = await attemptIntent(world, intent.id, method.id)
  if (attempt === 'failed' || attempt === 'requires_action') {
    return await world.change('checkout.session', id, { payment_intent: intent.id }, null)
  }
  return await closeSession(world, id, intent.id, attempt === 'succeeded' ? 'paid' : 'unpaid')
}

async function closeSession(world: World, id: string, intent: string | null, paymentStatus: string) {
  world.unschedule('expire_session', id)
  return await world.change(
    'checkout.session',
    id,
    (draft) => {
      draft.status = 'complete'
      draft.payment_status = paymentStatus
      draft.payment_intent = intent
      draft.url = null
    },
    'checkout.session.completed',
  )
}

/** The delayed payment of a completed session was confirmed or failed. */
export async function settleSession(world: World, intentId: string, outcome: 'succeeded' | 'failed'): Promise<void> {
  const [session] = await world.find('checkout.session', { payment_intent: intentId })
  if (session?.payment_status !== 'unpaid' || session.status !== 'complete') return
  await world.change(
    'checkout.session',
    session.id,
    { payment_status: outcome === 'succeeded' ? 'paid' : 'unpaid' },
    null,
  )
  const settled = await world.need('checkout.session', session.id)
  world.emit(`checkout.session.async_payment_${outcome}`, 'checkout.session', settled)
}

export async function expireSession(world: World, id: string): Promise<void> {
  const session = await world.get('checkout.session', id)
  if (session?.status !== 'open') return
  await world.change(
    'checkout.session',
    id,
    (draft) => {
      draft.status = 'expired'
      draft.url = null
    },
    'checkout.session.expired',
  )
}
