import type { ExportFormat, ExportKind, exportParameters } from '@agency/contract/exports'
import type { Permission } from '@agency/contract/permissions'
import type { z } from 'zod'
import type { RequestContext } from '../context.ts'

/** What a column may hold; null is an empty cell. */
type ValueOf = {
  text: string
  integer: number
  number: number
  yes_no: boolean
  /** In minor units; its file shows the decimal amount, the currency is a column of its own. */
  money: { amount: number; currency: string }
  /** `2026-11-21` */
  date: string
  /** ISO 8601, UTC. */
  instant: string
  /** In JSON only. */
  json: unknown
}
export type ColumnType = keyof ValueOf

type ColumnOf<Row, Type extends ColumnType> = {
  title: string
  /** The field's name in JSON. */
  name: string
  type: Type
  value: (row: Row) => ValueOf[Type] | null
  /** How much of a page's width it takes, against 1 of the others; 0 leaves it out of a PDF, where width is scarce. */
  width?: number
}
export type Column<Row> = { [Type in ColumnType]: ColumnOf<Row, Type> }[ColumnType]

export type Opened<Row> = {
  columns: readonly Column<Row>[]
  rows: AsyncIterable<readonly Row[]>
  /** Asked once all were read: there were more rows than a file of this kind holds. */
  isCut: () => boolean
}

type Definition<Kind extends ExportKind, Row> = {
  kind: Kind
  /** That of the screen that shows the rows. */
  permission: Permission
  title: string
  /** Without the day and the ending. */
  fileName: string
  /** CSV, JSON, XLSX and PDF unless said otherwise. */
  formats?: readonly ExportFormat[]
  columns: readonly Column<Row>[]
  /** All rows in batches, as they are at one instant. It throws rather than end early. */
  rows: (ctx: RequestContext, parameters: ParametersOf<Kind>) => AsyncIterable<readonly Row[]>
  /** Where the columns are known only once the rows are asked for: both, in place of those above. */
  open?: (ctx: RequestContext, parameters: ParametersOf<Kind>) => Promise<Opened<Row>>
  /** How many there are, for the progress; left out or null where that is not counted. */
  total?: (ctx: RequestContext, parameters: ParametersOf<Kind>) => Promise<number | null>
  /** Which one it is of, where there are several: in the title and the name of the file. */
  subject?: (ctx: RequestContext, parameters: ParametersOf<Kind>) => Promise<string>
  /** Below the title: which time. Refuses one that the schema of the parameters alone cannot. */
  subtitle?: (ctx: RequestContext, parameters: ParametersOf<Kind>) => Promise<string> | string
  /** SVG, above the table of a PDF. */
  charts?: (ctx: RequestContext, parameters: ParametersOf<Kind>) => Promise<readonly string[]>
}

export type ParametersOf<Kind extends ExportKind> = z.output<(typeof exportParameters)[Kind]>

/** Of any kind: its rows and parameters are known to itself only. */
export type AnyExport = Omit<
  Definition<ExportKind, never>,
  'rows' | 'open' | 'total' | 'subject' | 'subtitle' | 'charts' | 'columns'
> & {
  columns: readonly Column<unknown>[]
  rows: (ctx: RequestContext, parameters: unknown) => AsyncIterable<readonly unknown[]>
  open?: (ctx: RequestContext, parameters: unknown) => Promise<Opened<unknown>>
  total?: (ctx: RequestContext, parameters: unknown) => Promise<number | null>
  subject?: (ctx: RequestContext, parameters: unknown) => Promise<string>
  subtitle?: (ctx: RequestContext, parameters: unknown) => Promise<string> | string
  charts?: (ctx: RequestContext, parameters: unknown) => Promise<readonly string[]>
}

/** Declares what can be exported: its columns and where its rows come from. All else is the same for each. */
export const defineExport = <const Kind extends ExportKind, Row>(definition: Definition<Kind, Row>): AnyExport =>
  // The parameters were checked by the schema of the kind, and the columns get only rows of their own.
  definition as unknown as AnyExport
