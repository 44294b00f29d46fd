import type { Change } from '@agency/contract/types'
import type { Figure } from '../render/mail.ts'

const numberText = (value: number, digits: number): string =>
  new Intl.NumberFormat('en-US', { maximumFractionDigits: digits }).format(value)

// As the screens write them, so that a mail and a screen can be laid side by side.
export const countText = (value: number): string => numberText(value, 0)
export const percentText = (value: number, digits = 1): string => `${numberText(value, digits)}%`
export const durationText = (ms: number): string =>
  ms > 1000 ? `${numberText(ms / 1000, 1)} s` : `${Math.round(ms)} ms`
/** Never `-$0.00`. */
export const minus = (amount: number): number => (amount === 0 ? 0 : -amount)
export const minutesText = (value: number): string => `${numberText(value, 1)} min`
export const pointsText = (value: number): string => `${numberText(value, 1)} points`

const units = ['B', 'KB', 'MB', 'GB', 'TB', 'PB']

/** In steps of 1024. */
export function bytesText(bytes: number): string {
  const step = bytes > 0 ? Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10)) : 0
  return `${numberText(bytes / 1024 ** step, 1)} ${units[step]}`
}

const signed = (percent: number): string => `${percent > 0 ? '+' : ''}${percentText(percent)}`

type Words = { format: (value: number) => string; before?: string }

/** Unknown is said with its reason, never shown as 0. */
export function figureOf(
  label: string,
  { current, compared, percent, reason }: Pick<Change, 'current' | 'compared' | 'percent' | 'reason'>,
  { format, before = 'the previous period' }: Words,
): Figure {
  if (current === null) return { label, value: 'Unknown', note: reason }
  if (compared === null) return { label, value: format(current), note: `unknown for ${before}` }
  const was = `${format(compared)} in ${before}`
  return { label, value: format(current), note: percent === null ? was : `${signed(percent)}, ${was}` }
}

export const orUnknown = <T>(value: T | null, format: (value: T) => string): string =>
  value === null ? 'Unknown' : format(value)

const dateOf = (day: string): Date => new Date(`${day}T00:00:00Z`)
const monthDay = new Intl.DateTimeFormat('en-US', { month: 'long', day: 'numeric', timeZone: 'UTC' })
const whole = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' })

/** `October 2026`, `November 15 – 21, 2026`, `December 27, 2026 – January 2, 2027` */
export function daysText({ first, last }: { first: string; last: string }): string {
  const isMonth = first.endsWith('-01') && first.slice(0, 7) === last.slice(0, 7) && Number(last.slice(8)) >= 28
  if (isMonth)
    return new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(dateOf(first))
  if (first.slice(0, 4) !== last.slice(0, 4)) return `${whole.format(dateOf(first))} – ${whole.format(dateOf(last))}`
  if (first.slice(0, 7) !== last.slice(0, 7))
    return `${monthDay.format(dateOf(first))} – ${monthDay.format(dateOf(last))}, ${last.slice(0, 4)}`
  return `${monthDay.format(dateOf(first))} – ${Number(last.slice(8))}, ${last.slice(0, 4)}`
}

export const zoneText = (timeZone: string): string => timeZone.replaceAll('_', ' ')

/** `11/21/2026, 3:05 PM` */
export const timeText = (at: Date, timeZone: string): string =>
  new Intl.DateTimeFormat('en-US', {
    ...{ timeZone, year: 'numeric', month: '2-digit', day: '2-digit', hour: 'numeric', minute: '2-digit' },
  })
    .format(at)
    // A narrow space that some mail programs show as a box.
    .replaceAll('\u202f', ' ')

export const dateText = (at: Date, timeZone: string): string =>
  new Intl.DateTimeFormat('en-US', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(at)

/** `Nov 21` of a day. */
export const shortDayText = (day: string): string =>
  new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' }).format(dateOf(day))
