import { byteOrderMark, type Cell, csvLine } from '../../../platform/csv.ts'
import { decimalText } from '../../../platform/money-text.ts'
import { type Format, isMoney, type WireCell, type WireColumn, type WireRow } from './order.ts'

function csvCell(cell: WireCell): Cell {
  if (typeof cell === 'boolean') return cell ? 'yes' : 'no'
  if (isMoney(cell)) return { decimal: decimalText(cell.amount, cell.currency) }
  if (typeof cell === 'object' && cell !== null) return JSON.stringify(cell.json)
  return cell
}

export const csv: Format = async function* (order, batches) {
  const shown = shownColumns(order.columns)
  yield byteOrderMark + csvLine(shown.map(({ column }) => column.title))
  for await (const rows of batches)
    yield rows.map((row) => csvLine(shown.map(({ index }) => csvCell(row[index] ?? null)))).join('')
}

/** Those of a table; what only JSON can show is left out. */
export const shownColumns = (columns: readonly WireColumn[]): { column: WireColumn; index: number }[] =>
  columns.map((column, index) => ({ column, index })).filter(({ column }) => column.type !== 'json')

const jsonValue = (cell: WireCell): unknown =>
  typeof cell === 'object' && cell !== null && 'json' in cell ? cell.json : cell

function objectText(columns: readonly WireColumn[], row: WireRow): string {
  return JSON.stringify(Object.fromEntries(columns.map(({ name }, index) => [name, jsonValue(row[index] ?? null)])))
}

export const json: Format = async function* ({ columns }, batches) {
  let before = '[\n'
  for await (const rows of batches) {
    if (rows.length === 0) continue
    yield before + rows.map((row) => objectText(columns, row)).join(',\n')
    before = ',\n'
  }
  yield before === ',\n' ? '\n]\n' : '[]\n'
}

export const jsonl: Format = async function* ({ columns }, batches) {
  for await (const rows of batches) yield rows.map((row) => `${objectText(columns, row)}\n`).join('')
}
