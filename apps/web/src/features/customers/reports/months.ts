import { formatMonth } from '../../../lib/format-time.ts'

/** The months that can be reported on, newest first, in UTC; the running one among them. */
export function monthsUntil(now: number, count = 13): { value: string; label: string }[] {
  const date = new Date(now)
  return Array.from({ length: count }, (_, back) => {
    const first = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - back, 1))
    const value = first.toISOString().slice(0, 7)
    return { value, label: back === 0 ? `${formatMonth(value)} (so far)` : formatMonth(value) }
  })
}
