import type { ReactNode } from 'react'

export type BulkDialogProps<Row> = {
  rows: readonly Row[]
  /** Nothing needs to be selected any more. */
  onDone: () => void
  onClose: () => void
}

/** What can be done with the rows that are selected. */
export type BulkAct<Row> = {
  label: string
  /** Why the actor may not, or undefined. */
  denial: string | undefined
  /** Why it cannot be done with a row, or undefined. */
  blockOf?: (row: Row) => string | undefined
  /** Is loaded when it is first chosen. */
  dialog: (props: BulkDialogProps<Row>) => ReactNode
}

/** Why the act has nothing to do, or undefined. */
export function blockOfAll<Row>({ denial, blockOf }: BulkAct<Row>, rows: readonly Row[]): string | undefined {
  if (denial !== undefined) return denial
  const blocks = rows.map((row) => blockOf?.(row))
  if (blocks.length === 0 || blocks.includes(undefined)) return undefined
  return new Set(blocks).size === 1 ? blocks[0] : 'Not possible for any of the selected rows'
}
