import { type AppContext, asSystem, inTransaction } from '../../context.ts'
import { WebhookRefused } from '../../integrations/stripe/errors.ts'
import { enqueueApply } from './apply.ts'
import { notConnected } from './connection.ts'
import { findWebhookSecrets } from './endpoint.ts'
import { objectOfEvent } from './objects.ts'
import { insertEvent, markDelivered } from './queries/events.ts'

export type Received = 'stored' | 'known' | 'other_mode'

/** Verifies, stores and enqueues a delivery in one transaction. Throws `WebhookRefused` for what is not the provider's. */
export async function receiveDelivery(
  ctx: AppContext,
  raw: Buffer,
  header: string | string[] | undefined,
): Promise<Received> {
  const stripe = ctx.stripe
  if (!stripe) throw notConnected()
  const secrets = await findWebhookSecrets(ctx)
  if (secrets.length === 0) throw new WebhookRefused('No signing secret is known')
  const now = new Date(ctx.clock())
  const delivery = stripe.verifyDelivery(raw, header, secrets, now)
  if (delivery.livemode !== stripe.livemode) return 'other_mode'
  const { id, type, createdAt, apiVersion, payload } = delivery
  const object = objectOfEvent(payload)
  return inTransaction(asSystem(ctx, 'webhook', 'stripe'), async (tx) => {
    const event = { id, type, createdAt, apiVersion, object, payload, origin: 'webhook' as const, receivedAt: now }
    if (!(await insertEvent(tx.db, event))) {
      await markDelivered(tx.db, id, now)
      return 'known'
    }
    if (object) await enqueueApply(ctx, tx, object)
    return 'stored'
  })
}
