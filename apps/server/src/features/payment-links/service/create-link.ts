import type { paymentLinks } from '@agency/contract'
import type { ResponseOf } from '@agency/contract/endpoint'
import type { RequestContext } from '../../../context.ts'
import type { Claim } from '../../../platform/idempotency-keys.ts'
import { actionRequest, beginAction } from '../../billing/index.ts'
import { deliver } from '../delivery.ts'
import { findPrice } from '../queries.ts'
import { checkTerms, type LinkTerms } from '../rules.ts'
import type { NewPayload } from '../ways.ts'

type Answer = ResponseOf<typeof paymentLinks.createPaymentLink>

export async function createLink(ctx: RequestContext, terms: LinkTerms, claim: Claim | null): Promise<Answer> {
  const request = actionRequest('payment_link_create', '', claim)
  const begun = await beginAction<void, Answer>(
    ctx,
    { ...request, target: request.id },
    {
      lock: async () => {},
      async prepare(tx) {
        const { plan_name, currency } = checkTerms(await findPrice(tx.db, terms.price), terms)
        const payload: NewPayload = { ...terms, plan_name }
        return { payload, amount: null, currency }
      },
    },
  )
  return deliver(ctx, begun)
}
