import type { Problems } from '../../lib/form/use-edit-form.ts'

const dayMs = 86_400_000
const mostCharacters = 500

export type DismissalFields = { reason: string; length: string }

const lengths: Record<string, { label: string; days: number }> = {
  week: { label: '1 week', days: 7 },
  month: { label: '30 days', days: 30 },
  quarter: { label: '90 days', days: 90 },
  year: { label: '1 year', days: 365 },
}

export const lengthChoices = Object.entries(lengths).map(([value, { label }]) => ({ value, label }))

export const endOf = ({ length }: DismissalFields, now: number): Date =>
  new Date(now + (lengths[length]?.days ?? 30) * dayMs)

export function dismissalProblems({ reason }: DismissalFields): Problems<DismissalFields> {
  const { length } = reason.trim()
  if (length === 0) return { reason: 'Enter a reason' }
  return length > mostCharacters ? { reason: `Use ${mostCharacters} characters at most` } : {}
}
