import { dayWords } from './day-field.ts'

const dayMs = 86_400_000

/** `2026-11-21`, of a moment in UTC. */
const utcDay = (at: number): string => new Date(at).toISOString().slice(0, 10)

/** The first and the last of so many days (UTC), today the last of them. */
export const lastUtcDays = (count: number, now: number): { first: string; last: string } => ({
  first: utcDay(now - (count - 1) * dayMs),
  last: utcDay(now),
})

/** `11/21`, below a chart. */
export const dayTick = (day: string): string => `${Number(day.slice(5, 7))}/${Number(day.slice(8, 10))}`

/** `11/21/2026`, or the two ends of a span. */
export const spanWords = (first: string, last: string): string =>
  first === last ? dayWords(first) : `${dayWords(first)} – ${dayWords(last)}`
