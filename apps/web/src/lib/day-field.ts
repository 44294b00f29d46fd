import type { Field } from './search-state.ts'

/** A day as the URL and the API write it, between 1900-01-01 and 2099-12-31. */
export function isDay(text: string): boolean {
  if (!/^(?:19|20)\d\d-\d\d-\d\d$/.test(text)) return false
  const at = new Date(`${text}T00:00:00Z`)
  // February 31 is read as March 3 rather than refused.
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text)
}

/** A search parameter that holds a day, or an empty text. */
export const day = ({ keepsPage = false } = {}): Field<string, ''> => ({
  initial: '',
  read: (raw) => (raw !== null && isDay(raw) ? raw : ''),
  write: (value) => (isDay(value) ? value : null),
  keepsPage,
})

/** `11/21/2026` from `2026-11-21`, which as an instant would be another day west of Greenwich. */
export function dayWords(value: string): string {
  const [year, month, date] = value.split('-')
  return `${Number(month)}/${Number(date)}/${year}`
}
