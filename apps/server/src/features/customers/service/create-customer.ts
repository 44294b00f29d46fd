import type { createCustomer as contract } from '@agency/contract/customers'
import type { BodyOf } from '@agency/contract/endpoint'
import type { CustomerDetails } from '@agency/contract/types'
import type { RequestContext } from '../../../context.ts'
import type { Claim } from '../../../platform/idempotency-keys.ts'
import { actionRequest, beginAction } from '../../billing/index.ts'
import { checkKeys } from '../writing/checks.ts'
import { changeOf, nothing } from '../writing/editable.ts'
import type { Payload } from '../writing/save.ts'
import { type Answer, performSave } from '../writing/settle.ts'
import { getCustomer } from './get-customer.ts'

/** Adds a customer at the provider, and here what the provider made of it. A repeat under the same key adds no other. */
export async function createCustomer(
  ctx: RequestContext,
  body: BodyOf<typeof contract>,
  claim: Claim | null,
): Promise<CustomerDetails> {
  const request = actionRequest('customer_create', '', claim)
  const begun = await beginAction<void, Answer>(
    ctx,
    { ...request, target: request.id },
    {
      lock: async () => {},
      async prepare() {
        checkKeys(nothing, body)
        const payload: Payload = { change: changeOf(nothing, body) ?? {}, before: nothing, wanted: body }
        return { payload, amount: null, currency: null, told: { before: {}, expected: body } }
      },
    },
  )
  const { id } = 'answer' in begun ? begun.answer : await performSave(ctx, begun)
  return getCustomer(ctx, id)
}
