import type { ExportFormat } from '@agency/contract/exports'
import type { ColumnType } from '../../../platform/export-kind.ts'

/** As the console hands a row over: in the order of the columns, null where there is nothing. */
export type WireCell = string | number | boolean | { amount: number; currency: string } | null | { json: unknown }
export type WireRow = readonly WireCell[]
export type WireColumn = { title: string; name: string; type: ColumnType; width: number }

/** The first line that the writer reads; batches of rows follow, and `{"end":true}` after the last. */
export type Order = {
  path: string
  format: ExportFormat
  title: string
  subtitle: string | null
  company: string
  /** For the instants of a PDF. */
  timeZone: string
  madeAt: string
  columns: readonly WireColumn[]
  charts: readonly string[]
}

export type Batch = { rows: readonly WireRow[] } | { end: true }

/** What the writer says when it is done with a batch and would take the next one. */
export type Taken = 'taken'

/** What the writer says at its end. */
export type Written = { rows: number; bytes: number; sha256: string } | { refusal: string }

/** Takes rows and gives the bytes of a file. */
export type Format = (order: Order, rows: AsyncIterable<readonly WireRow[]>) => AsyncIterable<Buffer | string>

/** Why a file of this format cannot hold the rows, in words for whoever asked for it. */
export class Refusal extends Error {
  override name = 'Refusal'
}

export const isMoney = (cell: WireCell): cell is { amount: number; currency: string } =>
  typeof cell === 'object' && cell !== null && 'amount' in cell
