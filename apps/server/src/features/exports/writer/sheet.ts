import { looksLikeFormula } from '../../../platform/csv.ts'
import { decimalText } from '../../../platform/money-text.ts'
import { isMoney, Refusal, type WireCell, type WireColumn } from './order.ts'

/** Styles of `styles.xml`, by their place there. */
const style = {
  plain: 0,
  head: 1,
  quoted: 2,
  integer: 3,
  number: 4,
  date: 5,
  instant: 6,
  money: [7, 8, 9, 10],
} as const
const longestText = 32_767

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
// biome-ignore lint/suspicious/noControlCharactersInRegex: XML cannot hold them.
const noXml = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g

const xmlText = (text: string): string =>
  text
    .toWellFormed()
    .replace(noXml, '\ufffd')
    .replace(/[&<>"]/g, (sign) => escapes[sign] ?? sign)

function textCell(at: string, text: string, styleId: number): string {
  if (text.length > longestText)
    throw new Refusal(`A cell has more than the 32,767 characters that a spreadsheet holds. Choose CSV or JSON.`)
  return `<c r="${at}" t="inlineStr" s="${styleId}"><is><t xml:space="preserve">${xmlText(text)}</t></is></c>`
}

const numberCell = (at: string, value: number | string, styleId: number): string =>
  `<c r="${at}" s="${styleId}"><v>${value}</v></c>`

/** Days since 1899-12-30, as spreadsheets count since their mistake about the year 1900. */
const daysOf = (instant: string): number => Date.parse(instant) / 86_400_000 + 25_569

function moneyCell(at: string, { amount, currency }: { amount: number; currency: string }): string {
  const text = decimalText(amount, currency)
  const digits = text.includes('.') ? text.length - text.indexOf('.') - 1 : 0
  return numberCell(at, text, style.money[digits] ?? style.number)
}

function cellOf(at: string, cell: WireCell, { type }: WireColumn): string {
  if (cell === null) return ''
  if (isMoney(cell)) return moneyCell(at, cell)
  if (typeof cell === 'number') return numberCell(at, cell, type === 'integer' ? style.integer : style.number)
  if (typeof cell === 'boolean') return textCell(at, cell ? 'yes' : 'no', style.plain)
  if (typeof cell === 'object') return textCell(at, JSON.stringify(cell.json), style.plain)
  if (type === 'date') return numberCell(at, daysOf(`${cell}T00:00:00Z`), style.date)
  if (type === 'instant') return numberCell(at, daysOf(cell), style.instant)
  // Marked as text for whoever edits the cell, too: its value stays what it was.
  return textCell(at, cell, looksLikeFormula(cell) ? style.quoted : style.plain)
}

function letterOf(place: number): string {
  const rest = String.fromCharCode(65 + (place % 26))
  return place < 26 ? rest : letterOf(Math.floor(place / 26) - 1) + rest
}
const letters = Array.from({ length: 200 }, (_, place) => letterOf(place))

/** `number` counts from 1, the head. */
export const rowOf = (number: number, cells: readonly WireCell[], columns: readonly WireColumn[]): string =>
  `<row r="${number}">${columns.map((column, place) => cellOf(`${letters[place]}${number}`, cells[place] ?? null, column)).join('')}</row>`

const widths = { text: 26, integer: 12, number: 14, yes_no: 8, money: 14, date: 12, instant: 20, json: 30 }

/** Spreadsheets know no time zone, so the head says which one it is. */
const titleOf = ({ title, type }: WireColumn): string =>
  type === 'instant' && !title.includes('UTC') ? `${title} (UTC)` : title

export function sheetStart(columns: readonly WireColumn[]): string {
  const cols = columns.map(
    ({ type }, index) => `<col min="${index + 1}" max="${index + 1}" width="${widths[type]}" customWidth="1"/>`,
  )
  return `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<worksheet xmlns="${main}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>${cols.join('')}</cols><sheetData><row r="1">${columns.map((column, place) => textCell(`${letters[place]}1`, titleOf(column), style.head)).join('')}</row>`
}
export const sheetEnd = '</sheetData></worksheet>'

const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const packageRelations = 'http://schemas.openxmlformats.org/package/2006/relationships'
const contentType = 'application/vnd.openxmlformats-officedocument.spreadsheetml'
const xml = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'

const formats = ['#,##0', '#,##0.######', 'yyyy-mm-dd', 'yyyy-mm-dd hh:mm:ss', '#,##0.0', '#,##0.00', '#,##0.000']
const formatId = (place: number): number => 164 + place
const xf = (numFmt: number, more = ''): string =>
  `<xf numFmtId="${numFmt}" fontId="0" fillId="0" borderId="0" xfId="0"${more}/>`
const numbered = (place: number): string => xf(formatId(place), ' applyNumberFormat="1"')

const styles = `${xml}<styleSheet xmlns="${main}"><numFmts count="${formats.length}">${formats
  .map((format, place) => `<numFmt numFmtId="${formatId(place)}" formatCode="${format}"/>`)
  .join(
    '',
  )}</numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="11">${[
  xf(0),
  '<xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/>',
  xf(49, ' quotePrefix="1" applyNumberFormat="1"'),
  ...[0, 1, 2, 3, 0, 4, 5, 6].map(numbered),
].join('')}</cellXfs></styleSheet>`

/** All parts of the workbook but its one sheet. */
export const workbookParts = (title: string): Record<string, string> => ({
  '[Content_Types].xml': `${xml}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${contentType}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${contentType}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${contentType}.styles+xml"/></Types>`,
  '_rels/.rels': `${xml}<Relationships xmlns="${packageRelations}"><Relationship Id="rId1" Type="${relations}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  'xl/workbook.xml': `${xml}<workbook xmlns="${main}" xmlns:r="${relations}"><sheets><sheet name="${xmlText(title.replace(/[[\]:*?/\\]/g, ' ').slice(0, 31))}" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  'xl/_rels/workbook.xml.rels': `${xml}<Relationships xmlns="${packageRelations}"><Relationship Id="rId1" Type="${relations}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${relations}/styles" Target="styles.xml"/></Relationships>`,
  'xl/styles.xml': styles,
})
