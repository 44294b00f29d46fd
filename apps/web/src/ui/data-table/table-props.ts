import type { ReactNode } from 'react'
import type { Action } from '../action.ts'
import type { ActiveFilter, Column, Paging, Selection } from './columns.ts'

export type DataTableProps<Row> = {
  /** The table's accessible name. */
  label: string
  /** A module constant; the first column is the thing's name. */
  columns: readonly Column<Row>[]
  /** undefined while the first page loads. */
  rows: readonly Row[] | undefined
  keyOf: (row: Row) => string
  nameOf: (row: Row) => string
  /** Where a row's name leads; keep its identity stable, as with every function of a row. */
  hrefOf?: (row: Row) => string | undefined
  onOpen?: (row: Row) => void
  actionsOf?: (row: Row) => readonly Action[]
  sort?: string
  onSort?: (sort: string) => void
  /** A newer answer is on its way while these rows stay. */
  fetching?: boolean
  paging?: Paging
  /** How many rows match, where the server knows. */
  total?: number | null
  /** Why rows are still missing, such as a first import that runs. */
  missing?: string | undefined
  /** What is counted: ['customer', 'customers']. */
  unit?: readonly [string, string]
  toolbar?: ReactNode
  filters?: readonly ActiveFilter[]
  onClearFilters?: () => void
  selection?: Selection
  selectionActions?: ReactNode
  /** Shown without rows: why, and the next step. The caller knows whether filters are the reason. */
  empty: ReactNode
  /** Takes the place of the rows when none could be loaded. */
  error?: ReactNode
  skeletonRows?: number
}
