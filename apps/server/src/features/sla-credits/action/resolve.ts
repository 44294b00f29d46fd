import type { ProviderObject, StripeGateway } from '../../../integrations/stripe/gateway.ts'
import { pagesOf } from '../../../integrations/stripe/pages.ts'
import {
  type ActionRow,
  type Done,
  type Handler,
  isKeptFailure,
  isProven,
  mayBeAskedAbout,
  mayBeResent,
  NotDone,
  neverReached,
  type Refusal,
  refusalOf,
  StillOpen,
  type Work,
} from '../../billing/index.ts'
import { askForCredit, creditDone, isCreditOf } from './send.ts'

const mostPages = 20

const failedThere: Refusal = {
  code: 'provider_unavailable',
  message: 'Stripe failed at it, and its list shows that no credit was made. It can be given again.',
}

/** By the provider's own list. */
async function lookUp(stripe: StripeGateway, action: ActionRow): Promise<ProviderObject | undefined> {
  const pages = pagesOf((after) => stripe.listBalanceChanges(action.target_id, after), {
    ...{ what: 'balance changes of one customer', most: mostPages },
  })
  for await (const { objects } of pages) {
    const made = objects.find((change) => isCreditOf(action, change))
    if (made) return made
  }
  return undefined
}

async function resend(work: Work): Promise<Done> {
  const { ctx, stripe, action } = work
  await work.mark()
  let failure: unknown
  try {
    const { object, requestId } = await askForCredit(stripe, action)
    return creditDone(action, object, requestId)
  } catch (error) {
    failure = error
  }
  const refusal = refusalOf(failure, true)
  const hasEnded = isKeptFailure(failure)
  if (!refusal && !hasEnded && !mayBeAskedAbout(failure)) throw failure
  const made = await lookUp(stripe, action)
  if (made) return creditDone(action, made, null)
  if (refusal) throw new NotDone(refusal)
  // Nothing can have run since the call before this one, once its time is over.
  throw hasEnded && isProven(ctx, action) ? new NotDone(failedThere) : failure
}

/** Repeats the call under its key, or looks for its credit once the provider may have forgotten the key. */
async function resolve(work: Work): Promise<Done> {
  const { ctx, stripe, action } = work
  if (mayBeResent(ctx, action)) return resend(work)
  const made = await lookUp(stripe, action)
  if (made) return creditDone(action, made, null)
  throw isProven(ctx, action) ? new NotDone(neverReached) : new StillOpen()
}

const handler: Handler = { resolve, see: async () => null }

export const slaCreditHandlers = { sla_credit: handler }
