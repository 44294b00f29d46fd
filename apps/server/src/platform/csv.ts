/** A cell: text may be made harmless, a number stays as it is. */
export type Cell = string | number | { decimal: string } | null

// A spreadsheet takes a cell that starts so for a formula, also after what it trims away; full-width forms are folded to the
// same signs by some.
const formulaStart = /^(?:[\t\r\n]|[\s\p{Cf}\p{Cc}]*[=+\-@＝＋－＠])/u

/** Whether a program could take this text for something to work out. */
export const looksLikeFormula = (text: string): boolean => formulaStart.test(text)

function field(cell: Cell): string {
  if (cell === null) return ''
  if (typeof cell === 'number') return String(cell)
  if (typeof cell === 'object') return cell.decimal
  const harmless = looksLikeFormula(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

/** One record of RFC 4180. */
export const csvLine = (cells: readonly Cell[]): string => `${cells.map(field).join(',')}\r\n`

/** Tells spreadsheets that the file is UTF-8. */
export const byteOrderMark = '\ufeff'
