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
    label: 'Void them: nothing is owed',
    meaning: 'Invoices of the pause are voided as they are made. For a customer who gets no service meanwhile.',
  },
  {
    value: 'keep_as_draft',
    label: 'Keep them as drafts: owed, but not asked for yet',
    meaning: 'Invoices of the pause wait as drafts. After it, each is sent or deleted by hand.',
  },
  {
    value: 'mark_uncollectible',
    label: 'Write them off: served for free',
    meaning: 'Invoices of the pause are marked uncollectible. They stay in the books and are not asked for.',
  },
]

export const meaningOf = (behavior: string): string =>
  pauseBehaviors.find(({ value }) => value === behavior)?.meaning ?? ''

type PauseTerms = { ok: true; resumesAt: string | null } | { ok: false; message: string }

export function readPauseTerms({ until, lastDay }: PauseFields, now: number): PauseTerms {
  if (until === 'open') return { ok: true, resumesAt: null }
  if (!/^\d{4}-\d{2}-\d{2}$/.test(lastDay)) return { ok: false, message: 'Choose the last day of the pause' }
  const end = endOfDay(lastDay)
  if (end.getTime() <= now) return { ok: false, message: 'The last day of the pause must not lie in the past' }
  return { ok: true, resumesAt: end.toISOString() }
}
