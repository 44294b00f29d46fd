import type { listMoneyActions as contract } from '@agency/contract/billing'
import type { QueryOf, ResponseOf } from '@agency/contract/endpoint'
import type { RequestContext } from '../../../context.ts'
import { findMoneyActions } from '../queries/money-actions.ts'

export const listMoneyActions = async (
  ctx: RequestContext,
  query: QueryOf<typeof contract>,
): Promise<ResponseOf<typeof contract>> => ({ actions: await findMoneyActions(ctx.db, query) })
