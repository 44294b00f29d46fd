import type { listCustomersByEmail } from '@agency/contract/customers'
import type { QueryOf, ResponseOf } from '@agency/contract/endpoint'
import type { RequestContext } from '../../../context.ts'
import { findByEmail } from '../queries/customer-object.ts'

const shown = 5

export async function listByEmail(
  ctx: RequestContext,
  { email, except }: QueryOf<typeof listCustomersByEmail>,
): Promise<ResponseOf<typeof listCustomersByEmail>> {
  const found = await findByEmail(ctx.db, email.replaceAll('\0', ''), except, shown + 1)
  return { customers: found.slice(0, shown), has_more: found.length > shown }
}
