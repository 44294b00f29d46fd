import type { RequestContext } from '../../../context.ts'
import { type RawJson, rawJson } from '../../../platform/http/routes.ts'
import { findPayments, type PaymentsQuery } from '../queries/payments.ts'

export const listPayments = async (ctx: RequestContext, query: PaymentsQuery): Promise<RawJson> =>
  rawJson(await findPayments(ctx.pool, query))
