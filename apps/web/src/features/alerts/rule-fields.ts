import type * as alerts from '@agency/contract/descriptors/alerts'
import type { AlertRule } from '@agency/contract/types'
import type { Input } from '../../lib/api.ts'
import type { Problems } from '../../lib/form/use-edit-form.ts'
import { formatNumber } from '../../lib/format.ts'
import { formatDateTime } from '../../lib/format-time.ts'
import type { Choice } from '../../ui/FilterField.tsx'

const hourMs = 3_600_000

type Threshold = NonNullable<AlertRule['threshold']>

/** As they are typed. */
export type RuleFields = {
  version: number
  isEnabled: boolean
  severity: AlertRule['severity']
  threshold: string
  /** `keep`: until it was muted already; `none`: not muted. */
  mute: string
}

const muteHours: Record<string, number> = { '1h': 1, '1d': 24, '7d': 168, '30d': 720 }

export function fieldsOf(rule: AlertRule, now: number): RuleFields {
  return {
    version: rule.version,
    isEnabled: rule.is_enabled,
    severity: rule.severity,
    threshold: rule.threshold ? String(rule.threshold.value) : '',
    mute: mutedUntil(rule, now) ? 'keep' : 'none',
  }
}

/** Until when it is muted, or null when it is not. */
export function mutedUntil({ muted_until }: Pick<AlertRule, 'muted_until'>, now: number): string | null {
  return muted_until !== null && Date.parse(muted_until) > now ? muted_until : null
}

export function muteChoices(rule: AlertRule, now: number): readonly Choice[] {
  const until = mutedUntil(rule, now)
  return [
    { value: 'none', label: 'Not muted' },
    ...(until ? [{ value: 'keep', label: `Until ${formatDateTime(until)}` }] : []),
    { value: '1h', label: '1 hour' },
    { value: '1d', label: '1 day' },
    { value: '7d', label: '7 days' },
    { value: '30d', label: '30 days' },
  ]
}

type Body = Omit<NonNullable<Input<typeof alerts.updateAlertRule>['body']>, 'version'>

export function bodyOf({ isEnabled, severity, threshold, mute }: RuleFields, now: number): Body {
  const hours = muteHours[mute]
  return {
    is_enabled: isEnabled,
    severity,
    threshold: thresholdOf(threshold) ?? undefined,
    muted_until: hours ? new Date(now + hours * hourMs).toISOString() : mute === 'none' ? null : undefined,
  }
}

/** The figure that was typed, or null when it is none. */
export function thresholdOf(typed: string): number | null {
  return /^-?\d+(\.\d+)?$/.test(typed.trim()) ? Number(typed) : null
}

/** Whether the rule can have that figure. */
export function isWithin(value: number | null, threshold: Threshold | null): value is number {
  return value !== null && threshold !== null && value >= threshold.min && value <= threshold.max
}

export function ruleProblems(fields: RuleFields, threshold: Threshold | null): Problems<RuleFields> {
  if (threshold === null || isWithin(thresholdOf(fields.threshold), threshold)) return {}
  const { min, max, unit } = threshold
  return { threshold: `Enter a number from ${formatNumber(min, 3)} to ${withUnit(max, unit)}` }
}

/** `90%`, `2,000 ms` */
export function withUnit(value: number, unit: string): string {
  return `${formatNumber(value, 3)}${unit === '%' ? '' : ' '}${unit}`.trim()
}
