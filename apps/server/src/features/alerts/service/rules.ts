import type { AlertRule, updateAlertRule } from '@agency/contract/alerts'
import type { BodyOf } from '@agency/contract/endpoint'
import type { MetricKey, MetricSeries } from '@agency/contract/monitoring'
import { inTransaction, type RequestContext } from '../../../context.ts'
import { recordAudit } from '../../../platform/audit.ts'
import { AppError, invalidParameter, notFound } from '../../../platform/errors.ts'
import { evaluateSoon } from '../evaluate-soon.ts'
import { countActiveByRule, findRules, saveRule } from '../queries/rules.ts'
import type { Rule } from '../rules.ts'
import { checkThreshold, getRule } from './get-rule.ts'
import { canTry } from './try-rule.ts'

type MetricRule = NonNullable<MetricSeries['rule']>

/** A little more, for a browser whose clock is ahead. */
const longestMuteMs = 30 * 86_400_000 + 5 * 60_000

const shown = (rule: Rule, active: number): AlertRule => ({
  ...{ key: rule.key, name: rule.name, description: rule.description, subject: rule.subject },
  ...{ severity: rule.inForce, default_severity: rule.severity, is_enabled: rule.isEnabled },
  threshold: rule.threshold && { ...rule.threshold, value: rule.value ?? rule.threshold.default },
  muted_until: rule.mutedUntil?.toISOString() ?? null,
  active_alerts: active,
  can_try: canTry(rule),
  version: rule.version,
})

export async function listRules(ctx: RequestContext): Promise<AlertRule[]> {
  const [rules, active] = await Promise.all([findRules(ctx), countActiveByRule(ctx)])
  return rules.map((rule) => shown(rule, active.get(rule.key) ?? 0))
}

function checkMute(ctx: RequestContext, until: string | null): Date | null {
  if (until === null) return null
  const at = new Date(until)
  const ahead = at.getTime() - ctx.clock()
  if (ahead <= 0 || ahead > longestMuteMs) throw invalidParameter('muted_until', 'must be within the next 30 days')
  return at
}

const told = ({ name, isEnabled, inForce, value, mutedUntil }: Rule) => ({
  ...{ name, enabled: isEnabled, severity: inForce, threshold: value },
  muted_until: mutedUntil?.toISOString() ?? null,
})

export async function updateRule(
  ctx: RequestContext,
  key: string,
  body: BodyOf<typeof updateAlertRule>,
): Promise<AlertRule> {
  await inTransaction(ctx, async (tx) => {
    const before = await getRule({ ...ctx, ...tx }, key)
    const after: Rule = {
      ...before,
      version: body.version,
      ...(body.is_enabled !== undefined && { isEnabled: body.is_enabled }),
      ...(body.severity !== undefined && { inForce: body.severity }),
      ...(body.threshold !== undefined && { value: checkThreshold(before, body.threshold) }),
      ...(body.muted_until !== undefined && { mutedUntil: checkMute(ctx, body.muted_until) }),
    }
    if (before.version !== body.version || !(await saveRule(tx, after)))
      throw new AppError('conflict', 'Someone else changed this rule. Nothing was saved.', {
        parameter: 'version',
      })
    await recordAudit(tx, {
      ...{ action: 'alert_rule.update', resource: 'alert_rule', id: key },
      ...{ before: told(before), after: told(after) },
    })
    await evaluateSoon(tx)
  })
  const rule = (await listRules(ctx)).find((one) => one.key === key)
  if (!rule) throw notFound(`Rule ${key}`)
  return rule
}

/** The rules that watch figures of the console, by the figure. */
export async function findMetricRules(ctx: Pick<RequestContext, 'db'>): Promise<Map<MetricKey, MetricRule>> {
  const rules = await findRules(ctx)
  return new Map(
    rules.flatMap(({ key, name, metric, value, isEnabled }) =>
      metric === undefined || value === null
        ? []
        : [[metric, { key, name, threshold: value, is_enabled: isEnabled }] as const],
    ),
  )
}
