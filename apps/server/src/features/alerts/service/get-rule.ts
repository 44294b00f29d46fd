import type { RequestContext } from '../../../context.ts'
import { invalidParameter, notFound } from '../../../platform/errors.ts'
import { findRules } from '../queries/rules.ts'
import type { Rule } from '../rules.ts'

export async function getRule(ctx: RequestContext, key: string): Promise<Rule> {
  const rule = (await findRules(ctx)).find((one) => one.key === key)
  if (!rule) throw notFound(`Rule ${key}`)
  return rule
}

/** null: it has none; throws what is outside its limits. */
export function checkThreshold({ threshold }: Rule, value: number): number {
  if (threshold === null) throw invalidParameter('threshold', 'cannot be set for this rule')
  if (!Number.isFinite(value) || value < threshold.min || value > threshold.max)
    throw invalidParameter('threshold', `must be from ${threshold.min} to ${threshold.max} ${threshold.unit}`)
  return value
}
