import type { AnalyticsRange } from '@agency/contract/domain-analytics'
import { invalidParameter } from '../../platform/errors.ts'

export const hourMs = 3_600_000
export const dayMs = 86_400_000

/** Whole hours or whole days (UTC), half open, in milliseconds; the last of them may still be running. */
export type Period = {
  /** Equal for equal questions, so that an answer can be found again. */
  name: string
  step: 'hour' | 'day'
  since: number
  until: number
}

export type Asked = { range?: AnalyticsRange | undefined; since?: string | undefined; until?: string | undefined }

const daysOf: Record<Exclude<AnalyticsRange, '24h'>, number> = { '7d': 7, '30d': 30, '90d': 90, '12m': 365 }
/** Cloudflare keeps hours for so long. */
const hoursKeptMs = 72 * hourMs

export const stepMs = (step: Period['step']): number => (step === 'hour' ? hourMs : dayMs)
export const floorTo = (at: number, width: number): number => Math.floor(at / width) * width
const ceilTo = (at: number, width: number): number => Math.ceil(at / width) * width
export const dateOf = (at: number): string => new Date(at).toISOString().slice(0, 10)

function presetOf(range: AnalyticsRange, now: number): Period {
  const width = range === '24h' ? hourMs : dayMs
  const until = floorTo(now, width) + width
  const count = range === '24h' ? 24 : daysOf[range]
  return { name: range, step: range === '24h' ? 'hour' : 'day', since: until - count * width, until }
}

function customOf(since: number, until: number, now: number): Period {
  if (since >= now) throw invalidParameter('since', 'must be in the past')
  const isFine = until - since <= hoursKeptMs && floorTo(since, hourMs) > now - hoursKeptMs
  const step = isFine ? 'hour' : 'day'
  const width = stepMs(step)
  const from = floorTo(since, width)
  const to = Math.min(ceilTo(until, width), floorTo(now, width) + width)
  return { name: `${new Date(from).toISOString()}/${new Date(to).toISOString()}`, step, since: from, until: to }
}

export function periodOf({ range, since, until }: Asked, now: number): Period {
  if (since !== undefined && until !== undefined) return customOf(Date.parse(since), Date.parse(until), now)
  return presetOf(range ?? '24h', now)
}

/** The equal time before. */
export function periodBefore({ name, step, since, until }: Period): Period {
  return { name: `${name} before`, step, since: since - (until - since), until: since }
}

/** What of it is over, and its counterpart one length earlier; null when none of it is over. */
export function wholePart(
  { step, since, until }: Period,
  now: number,
): { since: number; until: number; shift: number } | null {
  const end = Math.min(until, floorTo(now, stepMs(step)))
  return end > since ? { since, until: end, shift: until - since } : null
}
