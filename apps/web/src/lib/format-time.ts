type Instant = string | number | Date

// Made when first asked for: the browser's formatters take longer to be made than a whole table to be shown.
let exactFormat: Intl.DateTimeFormat | undefined
let zoned: { zone: string; format: Intl.DateTimeFormat } | undefined

/** From here on times are shown in this zone; null: in that of whoever looks. */
export function setTimeZone(zone: string | null): void {
  if (zone === (zoned?.zone ?? null)) return
  exactFormat = undefined
  zoned = zone === null ? undefined : { zone, format: new Intl.DateTimeFormat('en-US', { timeZone: zone, ...fields }) }
}

/** The zone of whoever looks, such as `Europe/Berlin`. */
export const browserZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone

/** Every zone that can be named, UTC first. */
export const timeZones = (): string[] => ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')]

const fields = {
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
  hour: 'numeric',
  minute: 'numeric',
  hourCycle: 'h23',
} as const

const dayMs = 86_400_000

const isMoment = (date: Date) => !Number.isNaN(date.getTime())

type Clock = { year: number; month: number; day: number; hours: number; minutes: number }

/** What calendar and clock show at that moment. */
function readClock(date: Date): Clock {
  if (!zoned) {
    return {
      year: date.getFullYear(),
      month: date.getMonth() + 1,
      day: date.getDate(),
      hours: date.getHours(),
      minutes: date.getMinutes(),
    }
  }
  const parts = new Map(zoned.format.formatToParts(date).map(({ type, value }) => [type, Number(value)]))
  const of = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0
  return { year: of('year'), month: of('month'), day: of('day'), hours: of('hour'), minutes: of('minute') }
}

/** The moment at which a day such as `2026-11-21` is over, in the zone that times are shown in. */
export function endOfDay(day: string): Date {
  return momentOf(Date.parse(`${day}T00:00:00Z`) + dayMs)
}

/** `2026-11-21`, the day that it is in the zone that times are shown in. */
export function today(now: Instant = Date.now()): string {
  const { year, month, day } = readClock(new Date(now))
  return new Date(Date.UTC(year, month - 1, day)).toISOString().slice(0, 10)
}

/** The moment at which calendar and clock show what they would show in UTC at `wanted`. */
function momentOf(wanted: number): Date {
  // The zone's distance from UTC is that of the moment itself, which a second look finds: it may change on that day.
  let moment = wanted
  for (let look = 0; look < 2; look++) {
    const { year, month, day: date, hours, minutes } = readClock(new Date(moment))
    moment += wanted - Date.UTC(year, month - 1, date, hours, minutes)
  }
  return new Date(moment)
}

/** `2026-11-21T15:05`, as a field for a moment holds it, in the zone that times are shown in. */
export function momentToField(at: Instant): string {
  const { year, month, day, hours, minutes } = readClock(new Date(at))
  const [m, d, h, min] = [month, day, hours, minutes].map((part) => String(part).padStart(2, '0'))
  return `${year}-${m}-${d}T${h}:${min}`
}

/** The moment that a field holds, or null when it holds none. */
export function fieldToMoment(text: string): Date | null {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(text)) return null
  const wanted = Date.parse(`${text}:00Z`)
  return Number.isNaN(wanted) ? null : momentOf(wanted)
}

/** `11/21/2026`, in the user's zone or the one that is set. */
export function formatDate(at: Instant): string {
  const date = new Date(at)
  if (!isMoment(date)) return 'Unknown'
  const { year, month, day } = readClock(date)
  return `${month}/${day}/${year}`
}

const monthNames = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' })

/** `January 2026`, of a month such as `2026-01`. */
export const formatMonth = (month: string): string => monthNames.format(new Date(`${month}-01T00:00:00Z`))

let dayNames: Intl.DateTimeFormat | undefined

/** `November 21, 2026`, of a day such as `2026-11-21`. */
export function formatLongDay(day: string): string {
  dayNames ??= new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' })
  return dayNames.format(new Date(`${day}T00:00:00Z`))
}

/** `3:05 PM` */
export function formatTime(at: Instant): string {
  const date = new Date(at)
  if (!isMoment(date)) return 'Unknown'
  const { hours, minutes } = readClock(date)
  return `${hours % 12 || 12}:${String(minutes).padStart(2, '0')} ${hours < 12 ? 'AM' : 'PM'}`
}

/** `15:05:09`, in a column of a log. */
export function formatSeconds(at: Instant): string {
  const date = new Date(at)
  if (!isMoment(date)) return 'Unknown'
  const { hours, minutes } = readClock(date)
  // No zone of today is off by seconds.
  return [hours, minutes, date.getUTCSeconds()].map((part) => String(part).padStart(2, '0')).join(':')
}

/** `11/21/2026, 3:05 PM` */
export function formatDateTime(at: Instant): string {
  return `${formatDate(at)}, ${formatTime(at)}`
}

/** `Saturday, November 21, 2026 at 3:05:12 PM GMT+1`, for titles. */
export function formatExact(at: Instant): string {
  const date = new Date(at)
  exactFormat ??= new Intl.DateTimeFormat('en-US', { dateStyle: 'full', timeStyle: 'long', timeZone: zoned?.zone })
  // Newer ICU puts a narrow no-break space before AM and PM.
  return isMoment(date) ? exactFormat.format(date).replaceAll('\u202f', ' ') : 'Unknown'
}

/** Under 1 hour in minutes, under 24 hours in hours, otherwise a date. */
export function formatRelative(at: Instant, now: number): string {
  const minutes = Math.floor((now - new Date(at).getTime()) / 60_000)
  if (minutes < 1) return minutes < -1 ? formatDate(at) : 'just now'
  if (minutes < 60) return `${minutes} min ago`
  const hours = Math.floor(minutes / 60)
  return hours < 24 ? `${hours} ${hours === 1 ? 'hour' : 'hours'} ago` : formatDate(at)
}

/** How old a figure is: `now`, `4 min`, `3 h`, `2 d`. */
export function formatAge(at: Instant, now: number): string {
  const minutes = Math.floor(Math.max(0, now - new Date(at).getTime()) / 60_000)
  if (minutes < 1) return 'now'
  if (minutes < 60) return `${minutes} min`
  const hours = Math.floor(minutes / 60)
  return hours < 48 ? `${hours} h` : `${Math.floor(hours / 24)} d`
}

/** `45 s`, `3 min 20 s`, `2 h 5 min`, `4 d 3 h`: the two largest parts of a length of time. */
export function formatSpan(seconds: number): string {
  const s = Math.max(0, Math.round(seconds))
  if (s < 60) return `${s} s`
  if (s < 3600) return joinParts(Math.floor(s / 60), 'min', s % 60, 's')
  if (s < 86_400) return joinParts(Math.floor(s / 3600), 'h', Math.floor((s % 3600) / 60), 'min')
  return joinParts(Math.floor(s / 86_400), 'd', Math.floor((s % 86_400) / 3600), 'h')
}

function joinParts(large: number, largeUnit: string, small: number, smallUnit: string): string {
  return small ? `${large} ${largeUnit} ${small} ${smallUnit}` : `${large} ${largeUnit}`
}
