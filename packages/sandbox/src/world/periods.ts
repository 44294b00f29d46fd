export const hour = 3600
export const day = 86_400

export type Recurrence = { interval: string; interval_count: number }

function addMonths(anchor: number, months: number): number {
  const date = new Date(anchor * 1000)
  const year = date.getUTCFullYear()
  const month = date.getUTCMonth() + months
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  const dayOfMonth = Math.min(date.getUTCDate(), lastDay)
  return Date.UTC(year, month, dayOfMonth, date.getUTCHours(), date.getUTCMinutes(), date.getUTCSeconds()) / 1000
}

/** The n-th boundary counted from the anchor, so that a 31st returns to the 31st after a short month. */
export function periodBoundary(anchor: number, { interval, interval_count }: Recurrence, n: number): number {
  const steps = n * interval_count
  if (interval === 'year') return addMonths(anchor, 12 * steps)
  if (interval === 'month') return addMonths(anchor, steps)
  return anchor + steps * (interval === 'week' ? 7 * day : day)
}

/** The first boundary that lies after the given moment. */
export function nextBoundary(anchor: number, recurrence: Recurrence, after: number): number {
  const length = periodBoundary(anchor, recurrence, 1) - anchor
  let n = Math.max(0, Math.floor((after - anchor) / length) - 1)
  while (periodBoundary(anchor, recurrence, n) <= after) n++
  return periodBoundary(anchor, recurrence, n)
}

export const startOfDay = (seconds: number) => seconds - (seconds % day)
