import { type AppContext, asSystem, inTransaction } from '../../context.ts'
import { UnusableDelivery, WebhookRefused } from '../../integrations/stripe/errors.ts'
import type { StripeGateway, WebhookDelivery } from '../../integrations/stripe/gateway.ts'
import { notifyOtherMode } from '../notifications/index.ts'
import { enqueueApply } from './apply.ts'
import { notConnected } from './connection.ts'
import { findWebhookSecrets } from './endpoint.ts'
import { keepDead } from './keep-dead.ts'
import { objectOfEvent } from './objects.ts'
import { insertEvent, markDelivered } from './queries/events.ts'
import { deleteRefusals } from './queries/refusals.ts'
import { createRefusals } from './refusals.ts'

export type Received = 'stored' | 'known' | 'other_mode'

/** Verifies, stores and enqueues a delivery in one transaction. Throws `WebhookRefused` for what is not the provider's. */
export async function receiveDelivery(
  ctx: AppContext,
  raw: Buffer,
  header: string | string[] | undefined,
): Promise<Received> {
  const stripe = ctx.stripe
  if (!stripe) throw notConnected()
  const now = new Date(ctx.clock())
  const delivery = await verify(ctx, stripe, raw, header, now)
  if (delivery.livemode !== stripe.livemode) return dropOtherMode(ctx)
  const { id, type, createdAt, apiVersion, payload } = delivery
  const object = objectOfEvent(payload)
  ctx.instance(createRefusals).forget()
  return inTransaction(asSystem(ctx, 'webhook', 'stripe'), async (tx) => {
    await deleteRefusals(tx.db)
    const event = { id, type, createdAt, apiVersion, object, payload, origin: 'webhook' as const, receivedAt: now }
    if (!(await insertEvent(tx.db, event))) {
      await markDelivered(tx.db, id, now)
      return 'known'
    }
    if (object) await enqueueApply(ctx, tx, object)
    return 'stored'
  })
}

async function verify(
  ctx: AppContext,
  stripe: StripeGateway,
  raw: Buffer,
  header: string | string[] | undefined,
  now: Date,
): Promise<WebhookDelivery> {
  try {
    const secrets = await findWebhookSecrets(ctx)
    return stripe.verifyDelivery(raw, header, secrets, now)
  } catch (error) {
    if (error instanceof UnusableDelivery)
      await keepDead(asSystem(ctx, 'webhook', 'stripe'), error.event, { origin: 'webhook', receivedAt: now })
    else if (error instanceof WebhookRefused && error.isSignature) await ctx.instance(createRefusals).note('signature')
    throw error
  }
}

async function dropOtherMode(ctx: AppContext): Promise<Received> {
  await ctx.instance(createRefusals).note('livemode')
  await inTransaction(ctx, (tx) => notifyOtherMode(tx, { isLive: ctx.stripe?.livemode === true }))
  return 'other_mode'
}
