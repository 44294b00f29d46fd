import type { AppContext } from '../../context.ts'
import type { Condition, RulesInForce } from './condition.ts'
import { findBillingConditions } from './queries/billing-conditions.ts'
import { findConsoleConditions } from './queries/console-conditions.ts'
import { findDomainConditions } from './queries/domain-conditions.ts'
import { findSiteConditions } from './queries/site-conditions.ts'
import type { Rule } from './rules.ts'

/** All that is wrong now, by the rules that are switched on. What was not measured is not wrong. */
export async function findConditions(ctx: AppContext, rules: readonly Rule[]): Promise<Condition[]> {
  const enabled: RulesInForce = new Map(rules.filter((rule) => rule.isEnabled).map((rule) => [rule.key, rule]))
  const found = await Promise.all([
    findSiteConditions(ctx, enabled),
    findDomainConditions(ctx, enabled),
    findConsoleConditions(ctx, enabled),
    findBillingConditions(ctx, enabled),
  ])
  return found.flat().filter(({ rule }) => enabled.has(rule))
}
