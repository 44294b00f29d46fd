import { createRequire } from 'node:module'
import PDFDocument from 'pdfkit'
import svgToPdf from 'svg-to-pdfkit'
import { type Format, type Order, Refusal, type WireColumn, type WireRow } from './order.ts'
import { createMeasure, createText, isRight, linesOf, type Measure, neededWidth, shareWidths } from './pdf-table.ts'
import { shownColumns } from './text-formats.ts'

const fontFile = (name: string): string => createRequire(import.meta.url).resolve(`dejavu-fonts-ttf/ttf/${name}.ttf`)

const margin = 36
const padding = { x: 5, y: 3 }
const sizes = { title: 16, text: 8, table: 7 }
const colors = { text: '#1b1f24', muted: '#5b6570', line: '#e2e5ea' }
/** Nobody leafs through more, and the rows wait in memory until the widths of the columns are known. */
const mostRows = 10_000

type Doc = PDFKit.PDFDocument
type Laid = { column: WireColumn; x: number; width: number }
type Lines = readonly (readonly string[])[]
type Table = { columns: readonly Laid[]; head: Lines; rows: readonly Lines[]; lineHeight: number }

const wholeWidth = (doc: Doc): number => doc.page.width - 2 * margin
const bottomOf = (doc: Doc): number => doc.page.height - margin - 14
const heightOf = (lines: Lines, { lineHeight }: Pick<Table, 'lineHeight'>): number =>
  Math.max(1, ...lines.map(({ length }) => length)) * lineHeight + 2 * padding.y

function measureIn(doc: Doc, font: string): Measure {
  return createMeasure((character) => doc.font(font).fontSize(sizes.table).widthOfString(character))
}

async function readTexts(order: Order, batches: AsyncIterable<readonly WireRow[]>): Promise<string[][]> {
  const textOf = createText(order.timeZone)
  const shown = pdfColumns(order)
  const texts: string[][] = []
  for await (const rows of batches) {
    if (texts.length + rows.length > mostRows)
      throw new Refusal(
        'There are more than the 10,000 rows that a PDF may hold. Choose XLSX or CSV, or narrow the list.',
      )
    for (const row of rows) texts.push(shown.map(({ column, index }) => textOf(row[index] ?? null, column)))
  }
  return texts
}

const pdfColumns = ({ columns }: Order) => shownColumns(columns).filter(({ column }) => column.width > 0)

/** Where each column stands and in which lines each cell: the number of pages follows from it. */
function layOut(doc: Doc, order: Order, texts: readonly string[][]): Table {
  const [plain, bold] = [measureIn(doc, 'plain'), measureIn(doc, 'bold')]
  const shown = pdfColumns(order).map(({ column }) => column)
  const needs = shown.map((column, place) => {
    const cells = neededWidth(
      texts.map((row) => row[place] ?? ''),
      column,
      plain,
    )
    // A hair more, for what rounding makes of it.
    return Math.max(cells, neededWidth([column.title], { ...column, type: 'text' }, bold)) + 2 * padding.x + 0.5
  })
  const widths = shareWidths(
    shown.map(({ width }) => width),
    needs,
    wholeWidth(doc),
    shown.map(({ type }) => type !== 'text'),
  )
  let x = margin
  const columns = shown.map((column, place) => {
    const laid = { column, x, width: widths[place] ?? 0 }
    x += laid.width
    return laid
  })
  const linesIn = (row: readonly string[], measure: Measure): Lines =>
    columns.map(({ width }, place) => linesOf(row[place] ?? '', width - 2 * padding.x, measure))
  return {
    columns,
    head: linesIn(
      shown.map(({ title }) => title),
      bold,
    ),
    rows: texts.map((row) => linesIn(row, plain)),
    lineHeight: doc.font('plain').fontSize(sizes.table).currentLineHeight(true),
  }
}

function drawRow(doc: Doc, y: number, lines: Lines, table: Table, measure: Measure): number {
  table.columns.forEach(({ column, x, width }, place) => {
    lines[place]?.forEach((line, number) => {
      const own = measure(line)
      const left = isRight(column) ? x + width - padding.x - own : x + padding.x
      // Widths are known, and with features named no word is kept, of which there may be a hundred thousand.
      const known = { lineBreak: false, features: [], textWidth: own, wordCount: 1 } as object
      doc.text(line, left, y + padding.y + number * table.lineHeight, known)
    })
  })
  const end = y + heightOf(lines, table)
  const right = doc.page.width - margin
  doc.moveTo(margin, end).lineTo(right, end).lineWidth(0.5).strokeColor(colors.line).stroke()
  return end
}

function drawHead(doc: Doc, y: number, table: Table, measure: Measure): number {
  doc.font('bold').fontSize(sizes.table).fillColor(colors.muted)
  const end = drawRow(doc, y, table.head, table, measure)
  doc.font('plain').fontSize(sizes.table).fillColor(colors.text)
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
const gap = 16

type Place = { page: number; y: number }
type Plan = { charts: Place[]; heads: Place[]; rows: Place[]; pages: number }

/** Where everything goes, so that each page can say of how many it is one and leave memory when it is full. */
function planPages(start: number, bottom: number, charts: number, table: Table): Plan {
  const plan: Plan = { charts: [], heads: [], rows: [], pages: 1 }
  let y = start
  const breakBefore = (height: number): boolean => {
    if (y + height <= bottom) return false
    plan.pages++
    y = margin
    return true
  }
  const head = heightOf(table.head, table)
  const placeHead = (): void => {
    plan.heads.push({ page: plan.pages, y })
    y += head
  }
  for (let place = 0; place < charts; place++) {
    if (place % 2 === 0) breakBefore(chartHeight)
    plan.charts.push({ page: plan.pages, y })
    if (place % 2 === 1 || place === charts - 1) y += chartHeight + gap
  }
  const first = table.rows[0]
  breakBefore(head + (first ? heightOf(first, table) : 0))
  placeHead()
  for (const lines of table.rows) {
    const height = heightOf(lines, table)
    if (breakBefore(height)) placeHead()
    plan.rows.push({ page: plan.pages, y })
    y += height
  }
  return plan
}

function drawChart(doc: Doc, svg: string, y: number, place: number, count: number): void {
  const whole = wholeWidth(doc)
  const width = count === 1 ? whole : (whole - gap) / 2
  svgToPdf(doc, svg, place % 2 === 0 ? margin : margin + width + gap, y, {
    width,
    height: chartHeight,
    preserveAspectRatio: 'xMinYMid meet',
    fontCallback: (_family: string, isBold: boolean) => (isBold ? 'bold' : 'plain'),
  })
}

function drawFooter(doc: Doc, { title }: Order, rows: number, page: number, pages: number): void {
  const sum = `${title} · ${rows.toLocaleString('en-US')} ${rows === 1 ? 'row' : 'rows'}`
  const y = doc.page.height - margin - 4
  doc.font('plain').fontSize(sizes.table).fillColor(colors.muted)
  // Text below the margin would begin a page of its own.
  doc.page.margins.bottom = 0
  doc.text(sum, margin, y, { lineBreak: false })
  doc.text(`Page ${page} of ${pages}`, margin, y, { width: wholeWidth(doc), align: 'right' })
}

async function draw(doc: Doc, order: Order, batches: AsyncIterable<readonly WireRow[]>): Promise<void> {
  const { charts } = order
  const table = layOut(doc, order, await readTexts(order, batches))
  const [plain, bold] = [measureIn(doc, 'plain'), measureIn(doc, 'bold')]
  const plan = planPages(drawTitle(doc, order), bottomOf(doc), charts.length, table)
  let current = 1
  const heads = plan.heads.values()
  let head = heads.next().value
  const goTo = (page: number): void => {
    if (current === page) return
    drawFooter(doc, order, table.rows.length, current, plan.pages)
    doc.addPage()
    current = page
  }
  const goToTable = (page: number): void => {
    goTo(page)
    if (head?.page !== page) return
    drawHead(doc, head.y, table, bold)
    head = heads.next().value
  }
  plan.charts.forEach(({ page, y }, place) => {
    goTo(page)
    drawChart(doc, charts[place] ?? '', y, place, charts.length)
  })
  plan.rows.forEach(({ page, y }, place) => {
    goToTable(page)
    drawRow(doc, y, table.rows[place] ?? [], table, plain)
  })
  if (table.rows.length === 0) {
    goToTable(plan.pages)
    doc.text('No rows', margin + padding.x, (plan.heads[0]?.y ?? margin) + heightOf(table.head, table) + padding.y)
  }
  drawFooter(doc, order, table.rows.length, current, plan.pages)
}

/** A table over as many pages as it takes, each with the head of the table. */
export const pdf: Format = async function* (order, batches) {
  const doc = new PDFDocument({
    size: 'A4',
    layout: 'landscape',
    margin,
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
