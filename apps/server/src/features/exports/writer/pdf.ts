import { createRequire } from 'node:module'
import PDFDocument from 'pdfkit'
import svgToPdf from 'svg-to-pdfkit'
import { moneyText } from '../../../platform/money-text.ts'
import { type Format, isMoney, type Order, Refusal, type WireCell, type WireColumn, type WireRow } from './order.ts'
import { shownColumns } from './text-formats.ts'

const fontFile = (name: string): string => createRequire(import.meta.url).resolve(`dejavu-fonts-ttf/ttf/${name}.ttf`)

const margin = 36
const padding = { x: 5, y: 3 }
const sizes = { title: 16, text: 8, table: 7 }
const colors = { text: '#1b1f24', muted: '#5b6570', line: '#e2e5ea', head: '#f5f6f8' }
/** Nobody leafs through more, and the pages wait in memory until their number is known. */
const mostRows = 10_000
/** A cell may not fill a page; what is cut says so. */
const longestText = 800

type Doc = PDFKit.PDFDocument
type Laid = { column: WireColumn; index: number; x: number; width: number }

const isRight = ({ type }: WireColumn): boolean => type === 'integer' || type === 'number' || type === 'money'

function createText(timeZone: string): (cell: WireCell, column: WireColumn) => string {
  const days = new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', month: 'numeric', day: 'numeric', year: 'numeric' })
  const dates = new Intl.DateTimeFormat('en-US', { timeZone, month: 'numeric', day: 'numeric', year: 'numeric' })
  const times = new Intl.DateTimeFormat('en-US', { timeZone, hour: 'numeric', minute: '2-digit' })
  const numbers = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 })
  return (cell, { type }) => {
    if (cell === null) return ''
    if (typeof cell === 'number') return numbers.format(cell)
    if (typeof cell === 'boolean') return cell ? 'Yes' : 'No'
    if (isMoney(cell)) return moneyText(cell.amount, cell.currency)
    if (typeof cell === 'object') return JSON.stringify(cell.json)
    if (type === 'date') return days.format(new Date(`${cell}T00:00:00Z`))
    if (type === 'instant') return `${dates.format(new Date(cell))} ${times.format(new Date(cell))}`
    const text = cell.toWellFormed().replace(/\s+/g, ' ').trim()
    return text.length > longestText ? `${text.slice(0, longestText).toWellFormed()}… (cut)` : text
  }
}

function layOut(doc: Doc, columns: readonly WireColumn[]): Laid[] {
  const shown = shownColumns(columns).filter(({ column }) => column.width > 0)
  const whole = shown.reduce((sum, { column }) => sum + column.width, 0)
  const unit = (doc.page.width - 2 * margin) / whole
  let x = margin
  return shown.map(({ column, index }) => {
    const laid = { column, index, x, width: column.width * unit }
    x += laid.width
    return laid
  })
}

const bottomOf = (doc: Doc): number => doc.page.height - margin - 14

function drawRow(doc: Doc, y: number, columns: readonly Laid[], texts: readonly string[]): number {
  const optionsOf = (laid: Laid) => ({
    width: laid.width - 2 * padding.x,
    align: isRight(laid.column) ? ('right' as const) : ('left' as const),
  })
  const heights = columns.map((laid, place) => (texts[place] ? doc.heightOfString(texts[place], optionsOf(laid)) : 0))
  const height = Math.max(sizes.table + 2, ...heights) + 2 * padding.y
  if (y + height > bottomOf(doc)) return 0
  columns.forEach((laid, place) => {
    if (texts[place]) doc.text(texts[place], laid.x + padding.x, y + padding.y, optionsOf(laid))
  })
  const end = y + height
  doc
    .moveTo(margin, end)
    .lineTo(doc.page.width - margin, end)
    .lineWidth(0.5)
    .strokeColor(colors.line)
    .stroke()
  return end
}

function drawHead(doc: Doc, y: number, columns: readonly Laid[]): number {
  doc.font('bold').fontSize(sizes.table).fillColor(colors.muted)
  const end = drawRow(
    doc,
    y,
    columns,
    columns.map(({ column }) => column.title),
  )
  doc.font('plain').fillColor(colors.text)
  return end
}

function drawTitle(doc: Doc, { company, title, subtitle, timeZone, madeAt }: Order): number {
  const made = new Intl.DateTimeFormat('en-US', { timeZone, dateStyle: 'long', timeStyle: 'short' })
  doc.font('plain').fontSize(sizes.text).fillColor(colors.muted).text(company, margin, margin)
  doc.font('bold').fontSize(sizes.title).fillColor(colors.text).text(title)
  const facts = [subtitle, `Times in ${timeZone}`, `Made ${made.format(new Date(madeAt))}`]
  doc.font('plain').fontSize(sizes.text).fillColor(colors.muted).text(facts.filter(Boolean).join(' · '))
  return doc.y + 10
}

const chartHeight = 170

function drawCharts(doc: Doc, start: number, charts: readonly string[]): number {
  const gap = 16
  const whole = doc.page.width - 2 * margin
  const width = charts.length === 1 ? whole : (whole - gap) / 2
  let y = start
  charts.forEach((svg, place) => {
    const isFirst = charts.length === 1 || place % 2 === 0
    if (isFirst && y + chartHeight > bottomOf(doc)) {
      doc.addPage()
      y = margin
    }
    svgToPdf(doc, svg, isFirst ? margin : margin + width + gap, y, {
      width,
      height: chartHeight,
      preserveAspectRatio: 'xMidYMid meet',
      fontCallback: (_family: string, isBold: boolean) => (isBold ? 'bold' : 'plain'),
    })
    if (!isFirst || place === charts.length - 1) y += chartHeight + gap
  })
  return y
}

function drawFooters(doc: Doc, { title }: Order, rows: number): void {
  const { count } = doc.bufferedPageRange()
  const sum = `${title} · ${rows.toLocaleString('en-US')} ${rows === 1 ? 'row' : 'rows'}`
  for (let page = 0; page < count; page++) {
    doc.switchToPage(page)
    const y = doc.page.height - margin - 4
    doc.font('plain').fontSize(sizes.table).fillColor(colors.muted)
    // Text below the margin would begin a page of its own.
    doc.page.margins.bottom = 0
    doc.text(sum, margin, y, { lineBreak: false })
    doc.text(`Page ${page + 1} of ${count}`, margin, y, { width: doc.page.width - 2 * margin, align: 'right' })
  }
}

async function draw(doc: Doc, order: Order, batches: AsyncIterable<readonly WireRow[]>): Promise<void> {
  const columns = layOut(doc, order.columns)
  const textOf = createText(order.timeZone)
  let y = drawTitle(doc, order)
  if (order.charts.length > 0) y = drawCharts(doc, y, order.charts)
  y = drawHead(doc, y, columns) || nextPage(doc, columns)
  let count = 0
  for await (const rows of batches) {
    count += rows.length
    if (count > mostRows)
      throw new Refusal(
        'There are more than the 10,000 rows that a PDF may hold. Choose XLSX or CSV, or narrow the list.',
      )
    for (const row of rows) {
      const texts = columns.map(({ column, index }) => textOf(row[index] ?? null, column))
      y = drawRow(doc, y, columns, texts) || drawRow(doc, nextPage(doc, columns), columns, texts)
    }
  }
  if (count === 0) doc.fillColor(colors.muted).text('No rows', margin + padding.x, y + padding.y)
  drawFooters(doc, order, count)
}

function nextPage(doc: Doc, columns: readonly Laid[]): number {
  doc.addPage()
  return drawHead(doc, margin, columns)
}

/** A table over as many pages as it takes, each with the head of the table. */
export const pdf: Format = async function* (order, batches) {
  const doc = new PDFDocument({
    size: 'A4',
    layout: 'landscape',
    margin,
    bufferPages: true,
    font: fontFile('DejaVuSansCondensed'),
    info: { Title: order.title, Author: order.company, CreationDate: new Date(order.madeAt) },
  })
  doc.registerFont('plain', fontFile('DejaVuSansCondensed')).registerFont('bold', fontFile('DejaVuSansCondensed-Bold'))
  const drawn = draw(doc, order, batches).then(
    () => doc.end(),
    (error: Error) => void doc.destroy(error),
  )
  for await (const piece of doc) yield piece as Buffer
  await drawn
}
