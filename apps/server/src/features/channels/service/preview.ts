import type { previewRoute as endpoint, RoutePreview } from '@agency/contract/channels'
import type { QueryOf } from '@agency/contract/endpoint'
import type { RequestContext } from '../../../context.ts'
import { invalidParameter } from '../../../platform/errors.ts'
import { findConcerned, findPast } from '../queries/routes.ts'
import { heldUntil, matches, type RouteRule } from '../routing.ts'
import { quietColumns } from './routes.ts'

const days = 7
const dayMs = 86_400_000
const shownExamples = 5

type Query = QueryOf<typeof endpoint>

function ruleOf({
  min_severity,
  customer_ids = [],
  plan_ids = [],
  quiet_from,
  quiet_until,
  time_zone,
}: Query): RouteRule {
  const parts = [quiet_from, quiet_until, time_zone]
  if (parts.some((part) => part !== undefined) && parts.includes(undefined))
    throw invalidParameter('quiet_from', 'must come with quiet_until and time_zone')
  const quiet =
    quiet_from === undefined || quiet_until === undefined || time_zone === undefined
      ? null
      : { from: quiet_from, until: quiet_until, time_zone }
  return { min_severity, customer_ids, plan_ids, ...quietColumns(quiet) }
}

/** The past as the bell told it, taken through the same rules as what comes. Plans are those of now. */
export async function previewRoute(ctx: RequestContext, query: Query): Promise<RoutePreview> {
  const rule = ruleOf(query)
  const past = await findPast(ctx, new Date(ctx.clock() - days * dayMs))
  const customers = await findConcerned(ctx, [...new Set(past.flatMap(({ customer_ids }) => customer_ids))])
  const byId = new Map(customers.map((customer) => [customer.id, customer]))
  const sent = past.flatMap(({ title, level, customer_ids, created_at }) => {
    const subject = { severity: level, customers: customer_ids.flatMap((id) => byId.get(id) ?? []) }
    if (!matches(rule, subject)) return []
    const held = heldUntil(rule, subject, created_at.getTime())
    return [{ title, severity: level, at: created_at.toISOString(), held_until: held?.toISOString() ?? null }]
  })
  const held = sent.flatMap(({ held_until }) => held_until ?? [])
  return {
    ...{ days, at_once: sent.length - held.length, held: held.length, digests: new Set(held).size },
    examples: sent.slice(0, shownExamples),
  }
}
