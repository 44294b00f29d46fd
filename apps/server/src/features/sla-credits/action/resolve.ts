import type { ProviderObject, StripeGateway } from '../../../integrations/stripe/gateway.ts'
import { pagesOf } from '../../../integrations/stripe/pages.ts'
import {
  type ActionRow,
  type Done,
  type Handler,
  isProven,
  makeOrFind,
  NotDone,
  type Refusal,
  type Work,
} from '../../billing/index.ts'
import { askForCredit, creditDone, isCreditOf } from './send.ts'

const mostPages = 20

const failedThere: Refusal = {
  code: 'provider_unavailable',
  message: 'Stripe failed; no credit was made. Try again.',
}

async function findCredit(stripe: StripeGateway, action: ActionRow): Promise<ProviderObject | null> {
  const pages = pagesOf((after) => stripe.listBalanceChanges(action.target_id, after), {
    ...{ what: 'balance changes of one customer', most: mostPages },
  })
  for await (const { objects } of pages) {
    const made = objects.find((change) => isCreditOf(action, change))
    if (made) return made
  }
  return null
}

function resolve(work: Work): Promise<Done> {
  const { ctx, stripe, action } = work
  return makeOrFind(work, {
    async send() {
      const { object, requestId } = await askForCredit(stripe, action)
      return creditDone(action, object, requestId)
    },
    async lookUp() {
      const made = await findCredit(stripe, action)
      return made && creditDone(action, made, null)
    },
    async ended(failure) {
      throw isProven(ctx, action) ? new NotDone(failedThere) : failure
    },
  })
}

const handler: Handler = { resolve, see: async () => null }

export const slaCreditHandlers = { sla_credit: handler }
