import type { RequestContext } from '../../../context.ts'
import type { ProviderObject, StripeGateway } from '../../../integrations/stripe/gateway.ts'
import { pagesOf } from '../../../integrations/stripe/pages.ts'
import {
  type ActionRow,
  type Handler,
  isKeptFailure,
  isProven,
  leaveUnknown,
  markSent,
  mayBeAskedAbout,
  mayBeResent,
  neverReached,
  type Refusal,
  reasonOf,
  refusalOf,
  settleFailed,
} from '../../billing/index.ts'
import { askForCredit, isCreditOf, recordCredit } from './send.ts'

type Finding = { made: ProviderObject; requestId: string | null } | { refusal: Refusal } | { open: unknown }

const mostPages = 20

const failedThere: Refusal = {
  code: 'provider_unavailable',
  message: 'Stripe failed at it, and its list shows that no credit was made. It can be given again.',
}

async function findMade(stripe: StripeGateway, action: ActionRow): Promise<ProviderObject | undefined> {
  const pages = pagesOf((after) => stripe.listBalanceChanges(action.target_id, after), {
    ...{ what: 'balance changes of one customer', most: mostPages },
  })
  for await (const { objects } of pages) {
    const made = objects.find((change) => isCreditOf(action, change))
    if (made) return made
  }
  return undefined
}

/** What became of it by the provider's own list; `otherwise` when it is not there. */
async function lookUp(stripe: StripeGateway, action: ActionRow, otherwise: Finding): Promise<Finding> {
  try {
    const made = await findMade(stripe, action)
    return made ? { made, requestId: null } : otherwise
  } catch (failure) {
    return { open: failure }
  }
}

/** Nothing can have run since the call before this one, once its time is over. */
async function resend(ctx: RequestContext, stripe: StripeGateway, action: ActionRow): Promise<Finding> {
  try {
    const { object, requestId } = await askForCredit(stripe, action)
    return { made: object, requestId }
  } catch (error) {
    const refusal = refusalOf(error, true)
    if (refusal) return lookUp(stripe, action, { refusal })
    if (isKeptFailure(error))
      return lookUp(stripe, action, isProven(ctx, action) ? { refusal: failedThere } : { open: error })
    return mayBeAskedAbout(error) ? lookUp(stripe, action, { open: error }) : { open: error }
  }
}

/** Repeats the call under its key, or looks for its credit once the provider may have forgotten the key. */
async function resolve(ctx: RequestContext, stripe: StripeGateway, action: ActionRow): Promise<void> {
  const isResent = mayBeResent(ctx, action)
  if (isResent && !(await markSent(ctx, action))) return
  const finding = await (isResent
    ? resend(ctx, stripe, action)
    : lookUp(stripe, action, isProven(ctx, action) ? { refusal: neverReached } : { open: null }))
  if ('open' in finding) await leaveUnknown(ctx, action, reasonOf(finding.open))
  else if ('refusal' in finding) await settleFailed(ctx, action, finding.refusal)
  else await recordCredit(ctx, action, finding.made, finding.requestId)
}

const handler: Handler = { resolve, see: async () => null }

export const slaCreditHandlers = { sla_credit: handler }
