import type { createCustomer as contract } from '@agency/contract/customers'
import type { BodyOf } from '@agency/contract/endpoint'
import type { CustomerDetails } from '@agency/contract/types'
import type { RequestContext } from '../../../context.ts'
import { fields } from '../../../integrations/stripe/fields.ts'
import type { ProviderObject, StripeGateway } from '../../../integrations/stripe/gateway.ts'
import { checkKeys, connectedStripe } from '../writing/checks.ts'
import { changeOf, nothing } from '../writing/editable.ts'
import { providerKeyOf } from '../writing/provider-key.ts'
import { sendWrite } from '../writing/send.ts'
import { beginWrite, recordWrite, writeRequest } from '../writing/write.ts'
import { getCustomer } from './get-customer.ts'

/** By the action that the console gave it; what was just made is among the newest. */
async function findMade(stripe: StripeGateway, actionId: string): Promise<ProviderObject | null> {
  const { objects } = await stripe.in('brief').listObjects('customer')
  return objects.find((object) => fields(object['metadata'])['action_id'] === actionId) ?? null
}

/** Adds a customer at the provider, and here what the provider made of it. A repeat under the same key adds no other. */
export async function createCustomer(
  ctx: RequestContext,
  body: BodyOf<typeof contract>,
  idempotencyKey: string | null,
): Promise<CustomerDetails> {
  const stripe = connectedStripe(ctx)
  checkKeys(nothing, body)
  const { row, isRepeat } = await beginWrite(ctx, writeRequest('create', null, body, idempotencyKey))
  if (row.state === 'done' && row.customer_id) return getCustomer(ctx, row.customer_id)
  const key = providerKeyOf(row.id)
  const change = changeOf(nothing, body)
  const customer = { ...change, metadata: { ...change?.metadata, action_id: key } }
  const sent = await sendWrite(ctx, row, {
    send: () => stripe.createCustomer(customer, key),
    find: () => findMade(stripe, key),
    isRepeat,
  })
  await recordWrite(ctx, row, sent, nothing)
  return getCustomer(ctx, sent.object.id)
}
