import type { RequestContext } from '../../../context.ts'
import { fields, integer, text } from '../../../integrations/stripe/fields.ts'
import type { ProviderObject, StripeGateway } from '../../../integrations/stripe/gateway.ts'
import { AppError } from '../../../platform/errors.ts'
import { moneyText } from '../../../platform/money-text.ts'
import { nextFetchSeq } from '../../mirror/index.ts'
import type { ActionRow } from '../queries/money-actions.ts'
import { changeDone, isAchieved, seeSubscription } from './change.ts'
import { isRefundOf, listRefunds, refundDone, seePayment } from './refund.ts'
import { nameOf } from './sentences.ts'
import type { Done } from './settle.ts'
import { StillOpen } from './verdict.ts'

/** What the provider itself shows of an action whose answer was lost. */
export type Evidence = {
  happened: boolean
  /** Sentences for whoever decides by them. */
  facts: string[]
  /** That it happened, as it is at the provider. */
  done: () => Promise<Done>
}

const lineOf = (refund: ProviderObject, isOwn: boolean): string => {
  const amount = moneyText(integer(refund['amount']) ?? 0, text(refund['currency']) ?? 'usd')
  const state = (text(refund['status']) ?? 'of unknown state').replaceAll('_', ' ')
  return `${amount}, ${state}, ${refund.id}${isOwn ? ': made by this action' : ': not by this action'}.`
}

async function refundEvidence(ctx: RequestContext, stripe: StripeGateway, action: ActionRow): Promise<Evidence> {
  const fetchSeq = await nextFetchSeq(ctx.db)
  const refunds: ProviderObject[] = []
  for await (const { objects } of listRefunds(stripe, action.target_id)) refunds.push(...objects)
  const own = refunds.find((refund) => isRefundOf(action, refund))
  const count = refunds.length > 1 ? `${refunds.length} refunds` : refunds.length === 1 ? '1 refund' : 'no refund'
  const shown = refunds.slice(0, 20).map((refund) => lineOf(refund, refund === own))
  return {
    happened: own !== undefined,
    facts: [`Stripe lists ${count} of this payment${shown.length === 0 ? '.' : ':'}`, ...shown],
    async done() {
      if (!own) throw new StillOpen()
      const payment = await seePayment(ctx, stripe, action.target_id)
      return refundDone(action, { kind: 'refund', object: own, fetchSeq }, payment, null)
    },
  }
}

async function changeEvidence(ctx: RequestContext, stripe: StripeGateway, action: ActionRow): Promise<Evidence> {
  const seen = await seeSubscription(ctx, stripe, action.target_id)
  if (!seen) {
    const facts = ['The subscription does not exist at Stripe.']
    return { happened: false, facts, done: () => Promise.reject(new StillOpen()) }
  }
  const happened = isAchieved(action, seen.object)
  const status = text(fields(seen.object)['status']) ?? 'of unknown state'
  const shows = happened ? `after the ${nameOf(action)}` : `before the ${nameOf(action)}`
  return {
    happened,
    facts: [`Stripe shows the subscription as ${status.replaceAll('_', ' ')}, ${shows}.`],
    done: async () => changeDone({ subscription: seen, requestId: null }, [seen]),
  }
}

const changes: ReadonlySet<string> = new Set(['cancel', 'undo_cancel', 'pause', 'resume', 'change_plan'])

/** Asks the provider what became of it, and changes nothing. */
export function findEvidence(ctx: RequestContext, stripe: StripeGateway, action: ActionRow): Promise<Evidence> {
  if (action.kind === 'refund') return refundEvidence(ctx, stripe, action)
  if (changes.has(action.kind)) return changeEvidence(ctx, stripe, action)
  throw new AppError('conflict', `The ${nameOf(action)} is settled by the console alone: check at Stripe.`)
}
