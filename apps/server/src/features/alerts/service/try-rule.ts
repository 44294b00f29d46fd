import type { RuleTrial } from '@agency/contract/alerts'
import type { RequestContext } from '../../../context.ts'
import { findMetricRuns, findPaymentRuns, findSlowRuns, type Runs } from '../queries/trials.ts'
import type { Rule } from '../rules.ts'
import { checkThreshold, getRule } from './get-rule.ts'

const days = 30
const dayMs = 86_400_000
const shownExamples = 5

type Look = (ctx: RequestContext, rule: Rule, threshold: number, since: Date) => Promise<Runs>

/** What was kept of the past, for the rules that look at a figure. */
const looks: Record<string, Look> = {
  'site.slow': (ctx, _rule, threshold, since) => findSlowRuns(ctx, threshold, since),
  'payments.failed_spike': (ctx, _rule, threshold, since) => findPaymentRuns(ctx, threshold, since),
}

const lookOf = (rule: Rule): Look | undefined => {
  const { metric } = rule
  if (metric !== undefined) return (ctx, _rule, threshold, since) => findMetricRuns(ctx, metric, threshold, since)
  return looks[rule.key]
}

export const canTry = (rule: Rule): boolean => lookOf(rule) !== undefined

/** How often the rule would have alarmed with this threshold. */
export async function tryRule(ctx: RequestContext, key: string, threshold: number): Promise<RuleTrial> {
  const rule = await getRule(ctx, key)
  const value = checkThreshold(rule, threshold)
  const look = lookOf(rule)
  if (!look) return { days, fired: 0, examples: [], measured_since: null }
  const since = new Date(ctx.clock() - days * dayMs)
  const { runs, measuredSince } = await look(ctx, rule, value, since)
  const lengthOf = ({ from, until }: Runs['runs'][number]) => (until?.getTime() ?? ctx.clock()) - from.getTime()
  return {
    days,
    fired: runs.length,
    examples: [...runs]
      .sort((a, b) => lengthOf(b) - lengthOf(a))
      .slice(0, shownExamples)
      .map(({ from, until, name, peak }) => ({
        ...{ from: from.toISOString(), until: until?.toISOString() ?? null },
        ...{ subject_name: name ?? rule.name, peak },
      })),
    measured_since: measuredSince?.toISOString() ?? null,
  }
}
