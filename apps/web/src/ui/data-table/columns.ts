import type { ReactNode } from 'react'

export type Column<Row> = {
  id: string
  header: string
  cell: (row: Row) => ReactNode
  /** The plain text of the cell, shown in full on hover when the cell had to cut it. */
  text?: (row: Row) => string | null
  /** What is shown on hover where that says more than the cell, such as the currency of an amount. */
  title?: (row: Row) => string
  /** The cell is a text of somebody else's, in any script: it stands at the left and does not turn what is beside it. */
  isForeign?: true
  /** Figures, money and dates stand on the right. */
  align?: 'right'
  /** The field by which the server sorts; its header becomes a button. */
  sort?: string
  /** Most recent or largest first on the first click. */
  sortFirst?: 'descending'
  /** A CSS length; without one the browser shares the room. */
  width?: string
  /** The part it takes of the room that the other columns leave, such as '60%'; what does not fit is cut. */
  share?: string
  /** As the first column: it says what the row is about in a sentence, and keeps more room where there is little. */
  isSentence?: true
  /** One of the three facts that a phone shows beside the name (the first column); the others are one press away. */
  onCard?: boolean
}

/** What a cell shows on hover. */
export const titleOf = <Row>({ title, text }: Column<Row>, row: Row): string | undefined =>
  (title ?? text)?.(row) ?? undefined

export type Selection = {
  keys: ReadonlySet<string>
  onChange: (keys: ReadonlySet<string>) => void
}

export type Paging = {
  size: number
  sizes: readonly number[]
  /** How many rows come before this page, as far as it is known. */
  offset: number
  hasNext: boolean
  hasPrevious: boolean
  onNext: () => void
  onPrevious: () => void
  onSize: (size: number) => void
}

export type ActiveFilter = { label: string; onRemove: () => void }

export type SortMark = 'ascending' | 'descending' | 'none'

export function markOf(sort: string | undefined, field: string): SortMark {
  if (sort === field) return 'ascending'
  return sort === `-${field}` ? 'descending' : 'none'
}

/** What a click on a header asks for: first its own direction, then the other one, in turn. */
export function nextSort<Row>(column: Column<Row>, sort: string | undefined): string {
  const field = column.sort ?? column.id
  const mark = markOf(sort, field)
  if (mark === 'none') return column.sortFirst === 'descending' ? `-${field}` : field
  return mark === 'ascending' ? `-${field}` : field
}
