import type { RequestContext } from '../../../context.ts'
import { type RawJson, rawJson } from '../../../platform/http/routes.ts'
import { type CustomersQuery, findCustomers } from '../queries/customers.ts'

export const listCustomers = async (ctx: RequestContext, query: CustomersQuery): Promise<RawJson> =>
  rawJson(await findCustomers(ctx.pool, query))
