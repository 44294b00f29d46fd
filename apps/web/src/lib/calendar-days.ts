import { isDay } from './day-field.ts'

/** Days as the URL writes them, `2026-11-21`: of no time zone, so that none moves them. */
const dayMs = 86_400_000
const firstDay = '1900-01-01'
const lastDay = '2099-12-31'

const at = (day: string): number => Date.parse(`${day}T00:00:00Z`)
const dayAt = (moment: number): string => new Date(moment).toISOString().slice(0, 10)
const within = (day: string): string => (day < firstDay ? firstDay : day > lastDay ? lastDay : day)

export const addDays = (day: string, count: number): string => within(dayAt(at(day) + count * dayMs))

/** The same day of another month, or its last one: from January 31 to February 28. */
export function addMonths(day: string, count: number): string {
  const months = Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1 + count
  const [year, month] = [Math.floor(months / 12), months % 12]
  const length = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  return within(dayAt(Date.UTC(year, month, Math.min(Number(day.slice(8)), length))))
}

/** 0 is Sunday, with which a week starts. */
export const weekday = (day: string): number => new Date(at(day)).getUTCDay()

/** The weeks of a day's month; null beside its days. */
export function weeksOf(day: string): (string | null)[][] {
  const [first, month] = [`${day.slice(0, 7)}-01`, day.slice(0, 7)]
  const weeks: (string | null)[][] = []
  for (let start = at(first) - weekday(first) * dayMs; weeks.length === 0 || dayAt(start).startsWith(month); ) {
    const week = Array.from({ length: 7 }, (_, place) => dayAt(start + place * dayMs))
    weeks.push(week.map((one) => (one.startsWith(month) ? one : null)))
    start += 7 * dayMs
  }
  return weeks
}

/** A typed day: as it is shown, `11/21/2026`, or as the URL writes it. */
export function readDay(text: string): string | null {
  const shown = /^\s*(\d{1,2})\/(\d{1,2})\/(\d{4})\s*$/.exec(text)
  const day = shown ? `${shown[3]}-${shown[1]?.padStart(2, '0')}-${shown[2]?.padStart(2, '0')}` : text.trim()
  return isDay(day) ? day : null
}
