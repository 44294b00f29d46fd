import type { Problems } from '../../lib/form/use-edit-form.ts'
import { fieldToMoment } from '../../lib/format-time.ts'

const hourMs = 3_600_000
const mostMs = 7 * 24 * hourMs

export type SnoozeFields = {
  length: string
  /** `2026-11-21T15:05`, where the length is "until". */
  until: string
}

const lengths: Record<string, { label: string; hours: number }> = {
  '1h': { label: '1 hour', hours: 1 },
  '4h': { label: '4 hours', hours: 4 },
  '1d': { label: '1 day', hours: 24 },
  '7d': { label: '7 days', hours: 168 },
}

export const lengthChoices = [
  ...Object.entries(lengths).map(([value, { label }]) => ({ value, label })),
  { value: 'until', label: 'Until a time' },
]

/** When the snooze ends; null where no moment was chosen. */
export function endOfSnooze({ length, until }: SnoozeFields, now: number): Date | null {
  const chosen = lengths[length]
  return chosen ? new Date(now + chosen.hours * hourMs) : fieldToMoment(until)
}

export function snoozeProblems(fields: SnoozeFields, now: number): Problems<SnoozeFields> {
  const end = endOfSnooze(fields, now)
  if (!end) return { until: 'Choose a time' }
  if (end.getTime() <= now) return { until: 'Choose a time in the future' }
  return end.getTime() > now + mostMs ? { until: 'Choose a time within the next 7 days' } : {}
}
