import type { SqlColumn } from '@agency/contract/types'

export type Cells = readonly (string | null)[]

const looked = 60
const widest = 44
const narrowest = 6

/** How many characters wide each column stands: as its first rows need, within bounds. */
export const widthsOf = (columns: readonly SqlColumn[], rows: readonly Cells[]): number[] =>
  columns.map(({ name }, index) => {
    const longest = rows
      .slice(0, looked)
      .reduce((most, cells) => Math.max(most, cells[index]?.length ?? 4), name.length)
    return Math.min(widest, Math.max(narrowest, longest))
  })

/** Columns of one name are told apart by their place, so each has a key of its own. */
export const keysOf = (columns: readonly SqlColumn[]): string[] => columns.map(({ name }, index) => `${index} ${name}`)

export type Chart = {
  kind: 'bars' | 'line'
  slots: string[]
  values: (number | null)[]
  slot: string
  value: string
}

const mostSlots = 200

/** A result of two columns, a name and a number, as a chart; why there is none otherwise. */
export function chartOf(columns: readonly SqlColumn[], rows: readonly Cells[]): Chart | string {
  const [first, second] = columns
  if (columns.length !== 2 || !first || !second || second.type !== 'number')
    return 'A chart needs two columns: a name or a day, then a number'
  if (rows.length === 0) return 'No rows to draw'
  if (rows.length > mostSlots) return `A chart shows up to ${mostSlots} rows`
  const slots = rows.map(([slot]) => slot ?? 'NULL')
  if (new Set(slots).size < slots.length) return `A chart needs each ${first.name} once`
  const isTime = first.type === 'date' || first.type === 'instant'
  return {
    ...{ kind: isTime && rows.length > 2 ? 'line' : 'bars', slots, slot: first.name, value: second.name },
    values: rows.map(([, value]) => finite(value)),
  }
}

function finite(text: string | null | undefined): number | null {
  const value = text === null || text === undefined ? Number.NaN : Number(text)
  return Number.isFinite(value) ? value : null
}
