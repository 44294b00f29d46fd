import type { RequestContext } from '../../../context.ts'
import { type RawJson, rawJson } from '../../../platform/http/routes.ts'
import { findSubscriptions, type SubscriptionsQuery } from '../queries/subscriptions.ts'

export const listSubscriptions = async (ctx: RequestContext, query: SubscriptionsQuery): Promise<RawJson> =>
  rawJson(await findSubscriptions(ctx.pool, query))
