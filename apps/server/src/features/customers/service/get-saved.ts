import type { CustomerDetails } from '@agency/contract/types'
import type { RequestContext } from '../../../context.ts'
import { answerSave } from '../writing/settle.ts'
import { getCustomer } from './get-customer.ts'

/** The customer that an earlier call added or changed, as it is by now; throws why it was not. */
export async function getSaved(ctx: RequestContext, action: string): Promise<CustomerDetails> {
  const { id } = await answerSave(ctx, action)
  return getCustomer(ctx, id)
}
