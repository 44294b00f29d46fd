import type { RequestContext } from '../../../context.ts'
import { fields, text } from '../../../integrations/stripe/fields.ts'
import type { Answer, ProviderObject, StripeGateway } from '../../../integrations/stripe/gateway.ts'
import { recordAudit } from '../../../platform/audit.ts'
import { AppError } from '../../../platform/errors.ts'
import { keepPayload } from '../../../platform/runs/change.ts'
import { keyOf, type Outcome } from '../../../platform/runs/durable-run.ts'
import type { RunRow, StepRow } from '../../../platform/runs/queries.ts'
import { nextFetchSeq, recordObject } from '../../mirror/index.ts'
import { isRefusal, Refused } from './failure.ts'

type Behavior = 'keep_as_draft' | 'mark_uncollectible' | 'void'
type Payload = { behavior: Behavior; sent?: boolean }

const ended = new Set(['canceled', 'incomplete_expired'])
const behaviorOf = (object: ProviderObject): string | null => text(fields(object['pause_collection'])['behavior'])

export function connectedStripe({ stripe }: RequestContext): StripeGateway {
  if (!stripe) throw new AppError('not_connected', 'Stripe is not connected')
  return stripe.in('job')
}

/** Why there is nothing to do, or null. What this very step has sent before counts as its own. */
function whySkipped(name: string, object: ProviderObject, { behavior, sent = false }: Payload): string | null {
  const now = behaviorOf(object)
  if (ended.has(String(object['status']))) return 'Already ended'
  if (name === 'pause') return now === null || (sent && now === behavior) ? null : 'Collection is already paused'
  if (now === null) return sent ? null : 'Collection already continues'
  return now === behavior ? null : 'The pause was changed since and stays'
}

/** Pauses or resumes the collection of one subscription, and looks first: what is so already is not sent again. */
export async function setPause(ctx: RequestContext, run: RunRow, step: StepRow): Promise<Outcome> {
  const stripe = connectedStripe(ctx)
  const id = step.target_id ?? ''
  const payload = step.payload as Payload
  const wanted = step.name === 'pause' ? payload.behavior : null
  const seen = await see(ctx, stripe, id)
  const why = whySkipped(step.name, seen.object, payload)
  if (why !== null) return { state: 'skipped', note: why, record: (tx) => recordSeen(tx, seen) }
  if (behaviorOf(seen.object) === wanted) return recorded(run, step, seen, null)
  await keepPayload(ctx, step, { ...payload, sent: true })
  const { requestId } = await send(stripe, run, step, wanted)
  const after = await see(ctx, stripe, id)
  if (behaviorOf(after.object) !== wanted)
    throw new AppError('provider_bad_answer', 'Stripe accepted the change, but does not show it yet')
  return recorded(run, step, after, requestId)
}

type Seen = { object: ProviderObject; fetchSeq: number }

async function see(ctx: RequestContext, stripe: StripeGateway, id: string): Promise<Seen> {
  const fetchSeq = await nextFetchSeq(ctx.db)
  const object = await stripe.findObject('subscription', id)
  if (!object) throw new Refused('The subscription does not exist at Stripe')
  return { object, fetchSeq }
}

async function send(stripe: StripeGateway, run: RunRow, step: StepRow, behavior: Behavior | null): Promise<Answer> {
  const pause = { pause_collection: behavior === null ? null : { behavior } }
  try {
    return await stripe.updateSubscription(step.target_id ?? '', pause, keyOf(run, step))
  } catch (error) {
    if (isRefusal(error)) throw new Refused((error as Error).message, { cause: error })
    throw error
  }
}

type Tx = Parameters<NonNullable<Outcome['record']>>[0]

async function recordSeen(tx: Tx, { object, fetchSeq }: Seen): Promise<void> {
  await recordObject(tx, 'subscription', object, fetchSeq)
}

function recorded(run: RunRow, step: StepRow, seen: Seen, requestId: string | null): Outcome {
  const { behavior } = step.payload as Payload
  return {
    state: 'done',
    requestId,
    async record(tx) {
      await recordSeen(tx, seen)
      const told = { state: 'done', run_id: run.id, started_by: run.actor_name, provider_request_id: requestId }
      await recordAudit(tx, {
        action: `subscription.${step.name}`,
        resource: 'subscription',
        id: seen.object.id,
        after: { ...told, behavior },
      })
    },
  }
}
