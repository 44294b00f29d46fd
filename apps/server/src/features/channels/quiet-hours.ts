const minuteMs = 60_000
const dayMinutes = 1440

/** Minutes of the day, in the time zone. Over midnight where `from` is later. */
export type Quiet = { from: number; until: number; timeZone: string }

function minuteOfDay(at: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en-US', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone })
    .formatToParts(at)
    .map(({ type, value }) => [type, Number(value)] as const)
  const { hour = 0, minute = 0 } = Object.fromEntries(parts)
  return hour * 60 + minute
}

const isWithin = (minute: number, { from, until }: Quiet): boolean =>
  from < until ? minute >= from && minute < until : minute >= from || minute < until

const ahead = (from: number, to: number): number => (to - from + dayMinutes) % dayMinutes

/** When the quiet hours end that `now` lies in; null outside of them. */
export function quietUntil(quiet: Quiet, now: number): Date | null {
  const minute = minuteOfDay(now, quiet.timeZone)
  if (!isWithin(minute, quiet)) return null
  const start = Math.floor(now / minuteMs) * minuteMs
  const end = start + ahead(minute, quiet.until) * minuteMs
  // Clocks that are changed in between make the night longer or shorter.
  const late = ahead(quiet.until, minuteOfDay(end, quiet.timeZone))
  const off = late > dayMinutes / 2 ? late - dayMinutes : late
  const corrected = end - off * minuteMs
  // A time that the clocks leave out has passed by then.
  return new Date(minuteOfDay(corrected, quiet.timeZone) === quiet.until ? corrected : Math.max(corrected, end))
}

export function minutesOf(time: string): number {
  const [hour = 0, minute = 0] = time.split(':').map(Number)
  return hour * 60 + minute
}

const two = (value: number): string => String(value).padStart(2, '0')

export const timeOf = (minutes: number): string => `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`

export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: name })
    return true
  } catch {
    return false
  }
}
