import type { HealthStatus, SiteStatus } from '@agency/contract/types'
import type { Judgement } from './judge.ts'

/** Calls of a site's host that are expected and did not come. */
export type MissingCalls = {
  /** The last call, or since when there should have been one. */
  since: Date
  hasCalled: boolean
  everyMinutes: number
  whenMissing: 'degraded' | 'down'
}

const minuteMs = 60_000
const hourMinutes = 120
const dayMinutes = 2880

function span(minutes: number): string {
  if (minutes < hourMinutes) return `${minutes} min`
  return minutes < dayMinutes ? `${Math.floor(minutes / 60)} h` : `${Math.floor(minutes / 1440)} days`
}

export function missingWords({ since, everyMinutes, hasCalled }: MissingCalls, now: number): string {
  const minutes = Math.floor((now - since.getTime()) / minuteMs)
  const expected = `expected every ${everyMinutes < hourMinutes ? everyMinutes : span(everyMinutes)}`
  return hasCalled ? `No heartbeat for ${span(minutes)}, ${expected}` : `No heartbeat in ${span(minutes)}, ${expected}`
}

const order: Record<HealthStatus, number> = { healthy: 0, unknown: 0, degraded: 1, down: 2 }

/** The site's health with its heartbeat: the worse of what the look found and what is missing. */
export function withHeartbeat(
  judged: Judgement,
  missing: MissingCalls | null,
  status: SiteStatus,
  now: number,
): Judgement {
  if (missing === null || status === 'pending' || judged.health === 'down') return judged
  const words = missingWords(missing, now)
  const detail = judged.health === 'degraded' ? `${words}. ${judged.detail}` : words
  return order[missing.whenMissing] >= order[judged.health]
    ? { ...judged, health: missing.whenMissing, detail }
    : judged
}
