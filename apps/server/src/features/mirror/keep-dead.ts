import { inTransaction, type RequestContext } from '../../context.ts'
import type { UnusableEvent } from '../../integrations/stripe/errors.ts'
import { notifyDeadEvent } from '../notifications/index.ts'
import { objectOfEvent } from './objects.ts'
import { insertDeadEvent } from './queries/events.ts'

/**
 * Keeps an event that cannot be stored as a dead letter. Its object is fetched when somebody lets it be applied again:
 * what the event says of it is not needed.
 */
export async function keepDead(
  ctx: RequestContext,
  { id, type, reason, payload }: UnusableEvent,
  { origin, receivedAt }: { origin: 'webhook' | 'reconcile'; receivedAt: Date },
): Promise<void> {
  const error = `${reason}.`
  await inTransaction(ctx, async (tx) => {
    const object = objectOfEvent(payload)
    if (await insertDeadEvent(tx.db, { id, type, object, origin, receivedAt, error }))
      await notifyDeadEvent(tx, { id, type, error })
  })
}
