import type { CustomerDetails } from '@agency/contract/types'
import type { RequestContext } from '../../../context.ts'
import { notFound } from '../../../platform/errors.ts'
import { findCustomerDetails } from '../queries/customer-details.ts'

export async function getCustomer(ctx: RequestContext, id: string): Promise<CustomerDetails> {
  const customer = await findCustomerDetails(ctx.pool, id)
  if (!customer) throw notFound(`Customer ${id}`)
  return customer
}
