import type { UptimeDay } from '@agency/contract/types'
import { formatSpan } from '../../lib/format-time.ts'
import { formatUptime } from './measure.ts'

export const shownDays = 90
const dayMs = 86_400_000

export const dayStates = ['down', 'degraded', 'healthy', 'maintenance', 'unknown'] as const
export type DayState = (typeof dayStates)[number]

export type Day = {
  /** `2026-11-21`, a day in UTC. */
  day: string
  state: DayState
  /** null where nothing is known of it. */
  uptime: number | null
  seconds: { down: number; degraded: number; maintenance: number; unknown: number }
}

/** The last 90 days, oldest first; of a day that is left out nothing is known. */
export function lastDays(days: readonly UptimeDay[], now: number): Day[] {
  const known = new Map(days.map((day) => [day.day, day]))
  const today = Math.floor(now / dayMs) * dayMs
  return Array.from({ length: shownDays }, (_, index) => {
    const start = today - (shownDays - 1 - index) * dayMs
    const day = new Date(start).toISOString().slice(0, 10)
    return dayOf(day, known.get(day), Math.min(dayMs, now - start) / 1000)
  })
}

function dayOf(day: string, measured: UptimeDay | undefined, lengthSeconds: number): Day {
  const { known_seconds: known = 0, down_seconds: down = 0, maintenance_seconds: maintenance = 0 } = measured ?? {}
  const degraded = measured?.degraded_seconds ?? 0
  return {
    day,
    state: stateOf({ known, down, degraded, maintenance }),
    uptime: known > 0 ? (1 - down / known) * 100 : null,
    seconds: { down, degraded, maintenance, unknown: Math.max(0, Math.round(lengthSeconds - known - maintenance)) },
  }
}

function stateOf(seconds: { known: number; down: number; degraded: number; maintenance: number }): DayState {
  if (seconds.down > 0) return 'down'
  if (seconds.degraded > 0) return 'degraded'
  if (seconds.known > 0) return 'healthy'
  return seconds.maintenance > 0 ? 'maintenance' : 'unknown'
}

/** `11/21/2026`: the day itself, in no zone. */
export const dayName = (day: string): string =>
  `${Number(day.slice(5, 7))}/${Number(day.slice(8, 10))}/${day.slice(0, 4)}`

/** What a day was like: `99.95%, down 43 s`. */
export function dayWords({ state, uptime, seconds }: Day): string {
  const percent = uptime === null ? '' : `${formatUptime(uptime)}, `
  const words: Record<DayState, string> = {
    down: `${percent}down ${formatSpan(seconds.down)}`,
    degraded: `${percent}degraded ${formatSpan(seconds.degraded)}`,
    healthy: 'no downtime',
    maintenance: 'maintenance',
    unknown: 'unknown',
  }
  return words[state]
}

const counted: Record<DayState, string> = {
  down: 'with downtime',
  degraded: 'degraded',
  healthy: 'without downtime',
  maintenance: 'in maintenance',
  unknown: 'unknown',
}

/** The bars in words: `1 day with downtime, 88 days without downtime, 1 day not known`. */
export function daysSummary(days: readonly Day[]): string {
  return dayStates
    .map((state) => ({ state, count: days.filter((day) => day.state === state).length }))
    .filter(({ count }) => count > 0)
    .map(({ state, count }) => `${count} ${count === 1 ? 'day' : 'days'} ${counted[state]}`)
    .join(', ')
}
