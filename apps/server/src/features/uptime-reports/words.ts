import { type Report, type SpanReport, totalOf, uptimeOf } from './report.ts'

/** `2 h 5 min`; `none` is said, never shown as 0. */
export function spanText(seconds: number): string {
  if (seconds === 0) return 'none'
  const minutes = Math.round(seconds / 60)
  if (minutes < 1) return `${seconds} s`
  if (minutes < 60) return `${minutes} min`
  const hours = Math.floor(minutes / 60)
  if (hours < 48) return `${hours} h ${minutes % 60} min`
  return `${Math.floor(hours / 24)} d ${hours % 24} h`
}

/** Rounded down, so that an outage never reads as none. */
export const percentText = (percent: number | null): string =>
  percent === null ? 'unknown' : `${(Math.floor(percent * 1000) / 1000).toFixed(3)}%`

export const monthText = (from: Date): string =>
  new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(from)

export const msText = (ms: number | null): string => (ms === null ? 'unknown' : `${Math.round(ms)} ms`)

export const accounting =
  'Uptime is the share of time without confirmed downtime; maintenance and unknown time do not count. An outage counts from its first failed check. Times are UTC.'

export const titleOf = ({ from }: Report): string => `Uptime report, ${monthText(from)}`

/** Says who sends it, as the other mails to customers do. */
export const mailSubject = ({ company, from }: Report): string => `${company}: uptime report, ${monthText(from)}`

export function headlineOf({ sites, outages }: Report): string {
  if (sites.length === 0) return 'No sites were monitored.'
  const uptime = percentText(uptimeOf(totalOf(sites)))
  const count = outages.length === 0 ? 'no outages' : outages.length === 1 ? '1 outage' : `${outages.length} outages`
  return `${sites.length === 1 ? '1 site' : `${sites.length} sites`}: ${uptime} uptime, ${count}.`
}

/** Of an outage what lies in the month. */
export function outageSpan(
  report: Pick<SpanReport, 'from' | 'to'>,
  { from, to }: { from: Date; to: Date | null },
): string {
  const start = Math.max(report.from.getTime(), from.getTime())
  const end = Math.min(report.to.getTime(), to?.getTime() ?? Number.POSITIVE_INFINITY)
  return spanText(Math.max(1, Math.round((end - start) / 1000)))
}
