import { dayMs, floorTo } from '../period.ts'
import type { DatasetLimits } from '../provider/limits.ts'
import type { Kept } from '../queries/days.ts'
import type { ZoneState } from '../queries/zones.ts'

/** Older days are not kept here either, so there is no use in reading them. */
export const keptDays = 760

/** Clocks differ; what is asked for at the very edge is refused. */
const marginMs = 300_000

/** The first whole step that a dataset still gives. */
export function windowStart({ notOlderThan }: DatasetLimits, width: number, now: number): number {
  const oldest = Math.ceil((now + marginMs - notOlderThan * 1000) / width) * width
  return Math.max(oldest, floorTo(now, dayMs) - keptDays * dayMs)
}

/**
 * From which day on to read: all that the plan gives at first, later only what was not over then, and what was missed
 * in between.
 */
export function readFrom(
  state: Pick<ZoneState, 'daysFrom'>,
  kept: Kept | undefined,
  start: number,
  now: number,
): number {
  const today = floorTo(now, dayMs)
  if (state.daysFrom === null || state.daysFrom > start) return Math.min(start, today)
  const open = kept ? Math.min(kept.firstOpen ?? today, kept.last + dayMs, today) : start
  return Math.min(Math.max(open, start), today)
}

/** A time in pieces that a query may span, both ends included. */
export function pieces(
  since: number,
  until: number,
  { maxDuration }: DatasetLimits,
): { since: number; until: number }[] {
  const days = Math.max(1, Math.floor(maxDuration / (dayMs / 1000)))
  const found = []
  for (let at = since; at <= until; at += days * dayMs) {
    found.push({ since: at, until: Math.min(until, at + (days - 1) * dayMs) })
  }
  return found
}
