import type { AlertSubject } from '@agency/contract/alerts'
import type { AppContext } from '../../context.ts'
import { findBillingConditions } from './queries/billing-conditions.ts'
import { findConsoleConditions } from './queries/console-conditions.ts'
import { findSiteConditions } from './queries/site-conditions.ts'
import type { Rule } from './rules.ts'

/** Something that a rule finds wrong right now. */
export type Condition = {
  rule: string
  subject: AlertSubject
  subjectId: string
  subjectName: string
  link: string | null
  title: string
  detail: string
  /** The sites that are affected. */
  siteIds: string[]
  /** Maintenance was planned for it. */
  isSilenced?: boolean
}

export type RulesInForce = ReadonlyMap<string, Rule>

/** All that is wrong now, by the rules that are switched on. What was not measured is not wrong. */
export async function findConditions(ctx: AppContext, rules: readonly Rule[]): Promise<Condition[]> {
  const enabled: RulesInForce = new Map(rules.filter((rule) => rule.isEnabled).map((rule) => [rule.key, rule]))
  const found = await Promise.all([
    findSiteConditions(ctx, enabled),
    findConsoleConditions(ctx, enabled),
    findBillingConditions(ctx, enabled),
  ])
  return found.flat().filter(({ rule }) => enabled.has(rule))
}
