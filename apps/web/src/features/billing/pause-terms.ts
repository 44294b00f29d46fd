import type { PauseBehavior } from '@agency/contract/types'
import { endOfDay } from '../../lib/format-time.ts'

export type PauseFields = {
  behavior: PauseBehavior
  /** Until somebody resumes it, or until a date. */
  until: 'open' | 'date'
  /** `2026-11-21`, the last day of the pause. */
  lastDay: string
}

export const pauseBehaviors: { value: PauseBehavior; label: string; meaning: string }[] = [
  {
    value: 'void',
    label: 'Void',
    meaning: 'Invoices during the pause are voided: nothing is owed.',
  },
  {
    value: 'keep_as_draft',
    label: 'Keep as drafts',
    meaning: 'Invoices during the pause stay drafts. Send or delete each by hand afterwards.',
  },
  {
    value: 'mark_uncollectible',
    label: 'Mark uncollectible',
    meaning: 'Invoices during the pause are marked uncollectible: on record, but not collected.',
  },
]

export const meaningOf = (behavior: string): string =>
  pauseBehaviors.find(({ value }) => value === behavior)?.meaning ?? ''

type PauseTerms = { ok: true; resumesAt: string | null } | { ok: false; message: string }

export function readPauseTerms({ until, lastDay }: PauseFields, now: number): PauseTerms {
  if (until === 'open') return { ok: true, resumesAt: null }
  if (!/^\d{4}-\d{2}-\d{2}$/.test(lastDay)) return { ok: false, message: 'Choose the last day of the pause' }
  const end = endOfDay(lastDay)
  if (end.getTime() <= now) return { ok: false, message: 'The last day cannot be in the past' }
  return { ok: true, resumesAt: end.toISOString() }
}
