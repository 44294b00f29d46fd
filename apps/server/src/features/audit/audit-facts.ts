import { moneyText } from '../../platform/money-text.ts'
import type { EntryRow } from './queries/columns.ts'

export type Facts = Record<string, unknown>
export type Told = { row: EntryRow; before: Facts; after: Facts; what: string }

export const text = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)
export const number = (value: unknown): number | null => (typeof value === 'number' ? value : null)

/** As people write it, where an entry has both. */
export const amountOf = ({ amount, currency }: Facts): string | null => {
  const [value, code] = [number(amount), text(currency)]
  return value === null || code === null || !/^[a-z]{3}$/i.test(code) ? null : moneyText(value, code)
}

export const factsOf = (value: unknown): Facts =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Facts) : {}

/** What people call the thing, else its id. */
export const nameOf = (row: EntryRow, ...known: Facts[]): string => {
  for (const facts of known)
    for (const field of ['display_name', 'name', 'site_name', 'title', 'email', 'subject']) {
      const found = text(facts[field])
      if (found) return found
    }
  return row.resource_name ?? row.resource_id ?? ''
}

/** What people call the thing that an entry is about; its id where it has no name any more. */
export const named = ({ row }: Told, noun: string): string =>
  row.resource_name ?? `the ${noun} ${row.resource_id ?? ''}`.trimEnd()
