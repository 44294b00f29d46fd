import type { AppContext } from '../../../context.ts'
import { dayMs, hourMs, type Period, wholePart } from '../period.ts'
import { askBreakdown, type Breakdown, type BreakdownSpans } from '../provider/breakdown.ts'
import { type DatasetLimits, type PlanLimits, smallestLimits } from '../provider/limits.ts'
import { type Kept, readKept } from '../refresh/cached-read.ts'
import { windowStart } from '../refresh/window.ts'

type Span = { since: number; until: number }

/** A time as a whole, or null: part of it would be another figure. */
function given(span: Span | null, limits: DatasetLimits, width: number, now: number): Span | null {
  if (!span || !limits.enabled) return null
  const isInside = span.since >= windowStart(limits, width, now) && span.until - span.since <= limits.maxDuration * 1000
  return isInside ? span : null
}

/** The newest part of the time that the plan breaks down. */
function samplesOf({ since, until }: Period, limits: DatasetLimits, now: number): Span | null {
  if (!limits.enabled) return null
  const end = Math.min(until, now)
  const start = Math.max(since, end - limits.maxDuration * 1000, windowStart(limits, 60_000, now))
  return start < end ? { since: start, until: end } : null
}

function spansOf(period: Period, limits: PlanLimits, now: number): BreakdownSpans {
  const [width, own] = period.step === 'day' ? [dayMs, limits.days] : [hourMs, limits.hours]
  const whole = wholePart(period, now)
  const before = whole && { since: whole.since - whole.shift, until: whole.until - whole.shift }
  return {
    step: period.step,
    visitors: given({ since: period.since, until: period.until }, own, width, now),
    visitorsNow: given(whole, own, width, now),
    visitorsBefore: given(before, own, width, now),
    samples: samplesOf(period, limits.samples, now),
  }
}

type Answer = Breakdown & { since: number; samples: Span | null }
export type LoadedBreakdown = Kept<Answer>

/** Top lists and visitors of a time: what cannot be made of the series. */
export async function loadBreakdown(
  ctx: Pick<AppContext, 'db' | 'clock' | 'cloudflare' | 'instance'>,
  zoneId: string,
  period: Period,
  limits: PlanLimits | null,
): Promise<LoadedBreakdown> {
  const isFitting = ({ since }: Answer) => since === period.since
  const read = await readKept<Answer>(ctx, { zoneId, name: `breakdown ${period.name}` }, isFitting, async (gateway) => {
    const spans = spansOf(period, limits ?? smallestLimits, ctx.clock())
    const found = await askBreakdown(gateway, zoneId, spans)
    return found && { ...found, since: period.since, samples: spans.samples }
  })
  if (read.answer === null || isFitting(read.answer)) return read
  // The lists say of what time they are; visitors are those of the range or not shown.
  const { visitors, visitorsNow, visitorsBefore, ...lists } = read.answer.answer
  return { ...read, answer: { ...read.answer, answer: lists } }
}
