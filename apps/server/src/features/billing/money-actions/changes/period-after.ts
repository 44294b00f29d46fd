import { type Fields, integer, text } from '../../../../integrations/stripe/fields.ts'

const daySeconds = 86_400

/** The same day some months on, or the last of a month that is too short for it. */
function addMonths(start: number, months: number): number {
  const date = new Date(start * 1000)
  const day = date.getUTCDate()
  date.setUTCDate(1)
  date.setUTCMonth(date.getUTCMonth() + months)
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
  date.setUTCDate(Math.min(day, last))
  return date.getTime() / 1000
}

/** When a period that begins now ends; Unix seconds. */
export function periodAfter(start: number, recurring: Fields): number {
  const count = integer(recurring['interval_count']) ?? 1
  switch (text(recurring['interval'])) {
    case 'year':
      return addMonths(start, 12 * count)
    case 'week':
      return start + 7 * daySeconds * count
    case 'day':
      return start + daySeconds * count
    default:
      return addMonths(start, count)
  }
}
