import type { RequestContext } from '../../../context.ts'
import { recordAudit } from '../../../platform/audit.ts'
import { keyOf, type Outcome } from '../../../platform/runs/durable-run.ts'
import type { RunRow, StepRow } from '../../../platform/runs/queries.ts'
import { applyObject } from '../../mirror/index.ts'
import { isRefusal, Refused } from './failure.ts'
import { connectedStripe } from './set-pause.ts'

/** For good. What has gone already, by this step or by somebody else, is not sent again. */
export async function deleteAtStripe(ctx: RequestContext, run: RunRow, step: StepRow): Promise<Outcome> {
  const stripe = connectedStripe(ctx)
  const id = run.subject
  const { subscriptions } = step.payload as { subscriptions: string[] }
  let requestId: string | null = null
  if (await stripe.findObject('customer', id)) {
    try {
      ;({ requestId } = await stripe.deleteCustomer(id, keyOf(run, step)))
    } catch (error) {
      if (!isRefusal(error) || (await stripe.findObject('customer', id))) {
        throw isRefusal(error) ? new Refused((error as Error).message, { cause: error }) : error
      }
    }
  }
  await applyObject(ctx, { kind: 'customer', id }, 'action')
  for (const subscription of subscriptions) await applyObject(ctx, { kind: 'subscription', id: subscription }, 'action')
  return {
    state: 'done',
    requestId,
    ...(subscriptions.length > 0 && { note: `Ended ${subscriptions.join(', ')}` }),
    record: (tx) =>
      recordAudit(tx, {
        action: 'customer.delete_at_stripe',
        resource: 'customer',
        id,
        after: {
          ...{ state: 'done', run_id: run.id, started_by: run.actor_name, provider_request_id: requestId },
          subscriptions,
        },
      }),
  }
}
