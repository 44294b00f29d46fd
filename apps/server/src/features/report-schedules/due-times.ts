const dayMs = 86_400_000
const hourMs = 3_600_000

export type Rhythm = {
  cadence: 'weekly' | 'monthly'
  /** 0 is Sunday. */
  weekday: number | null
  month_day: number | null
  hour: number
  time_zone: string
}

/** Days in some zone, both included. */
export type Days = { first: string; last: string }

const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(timeZone: string): Intl.DateTimeFormat {
  let format = formats.get(timeZone)
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', {
      ...{ timeZone, hourCycle: 'h23', year: 'numeric', month: '2-digit', day: '2-digit' },
      ...{ hour: '2-digit', minute: '2-digit', second: '2-digit' },
    })
    formats.set(timeZone, format)
  }
  return format
}

/** What the clocks of the zone show, as if they showed UTC. */
function shownAt(at: number, timeZone: string): number {
  const parts = Object.fromEntries(
    formatOf(timeZone)
      .formatToParts(at)
      .map(({ type, value }) => [type, Number(value)]),
  )
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts
  return Date.UTC(year, month - 1, day, hour, minute, second)
}

/**
 * When the clocks of the zone show this. What they skip comes as late after midnight as it would without the skip; of
 * what they show twice it is the first.
 */
export function momentOf(day: string, hour: number, timeZone: string): number {
  const shown = Date.parse(`${day}T00:00:00Z`) + hour * hourMs
  // No zone is further from UTC, and none changes its clocks twice within two days.
  const offsets = [-dayMs, dayMs].map((away) => shownAt(shown + away, timeZone) - (shown + away))
  const moments = offsets.map((offset) => shown - offset).sort((a, b) => a - b)
  const right = moments.find((moment) => shownAt(moment, timeZone) === shown)
  // Before the clocks were put forward their offset was the smaller one, so the later moment is meant.
  return right ?? Math.max(...moments)
}

export const dayAt = (at: number, timeZone: string): string =>
  new Date(shownAt(at, timeZone)).toISOString().slice(0, 10)

const textOf = (at: number): string => new Date(at).toISOString().slice(0, 10)
const plusDays = (day: string, days: number): string => textOf(Date.parse(`${day}T00:00:00Z`) + days * dayMs)
const weekdayOf = (day: string): number => new Date(`${day}T00:00:00Z`).getUTCDay()

/** The day of that number in a month so many months later, or its last one. */
function dayOfMonth(day: string, months: number, number: number): string {
  const [year = 0, month = 1] = day.split('-').map(Number)
  const last = new Date(Date.UTC(year, month - 1 + months + 1, 0)).getUTCDate()
  return textOf(Date.UTC(year, month - 1 + months, Math.min(number, last)))
}

/** The first date after a moment. */
export function nextAfter({ cadence, weekday, month_day, hour, time_zone }: Rhythm, after: number): number {
  const today = dayAt(after, time_zone)
  const days =
    cadence === 'weekly'
      ? [0, 7].map((more) => plusDays(today, ((7 + (weekday ?? 0) - weekdayOf(today)) % 7) + more))
      : [0, 1].map((months) => dayOfMonth(today, months, month_day ?? 1))
  const moments = days.map((day) => momentOf(day, hour, time_zone))
  // The second is more than a week minus a change of clocks away.
  return moments.find((moment) => moment > after) ?? Math.max(...moments)
}

/** The newest date that is not in the future, from one that is known to be past. */
export function newestUntil(rhythm: Rhythm, from: number, now: number): number {
  let newest = from
  for (let next = nextAfter(rhythm, newest); next <= now; next = nextAfter(rhythm, newest)) newest = next
  return newest
}

/** The last whole week, from Sunday on, or the last whole month. */
export function daysBefore({ cadence, time_zone }: Pick<Rhythm, 'cadence' | 'time_zone'>, at: number): Days {
  const today = dayAt(at, time_zone)
  if (cadence === 'weekly') {
    const last = plusDays(today, -weekdayOf(today) - 1)
    return { first: plusDays(last, -6), last }
  }
  const begun = dayOfMonth(today, 0, 1)
  return { first: dayOfMonth(begun, -1, 1), last: plusDays(begun, -1) }
}

/** From the first moment of the first day to the first one after the last. */
export const spanOf = ({ first, last }: Days, timeZone: string): { from: Date; to: Date } => ({
  from: new Date(momentOf(first, 0, timeZone)),
  to: new Date(momentOf(plusDays(last, 1), 0, timeZone)),
})
