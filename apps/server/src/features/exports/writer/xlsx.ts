import { Readable } from 'node:stream'
import { ZipFile } from 'yazl'
import { type Format, type Order, Refusal, type WireRow } from './order.ts'
import { rowOf, sheetEnd, sheetStart, workbookParts } from './sheet.ts'
import { shownColumns } from './text-formats.ts'

/** As many as a sheet has, its head with them. */
const mostRows = 1_048_576

async function* sheet({ columns }: Order, batches: AsyncIterable<readonly WireRow[]>): AsyncGenerator<string> {
  const shown = shownColumns(columns)
  const types = shown.map(({ column }) => column)
  yield sheetStart(types)
  let number = 1
  for await (const rows of batches) {
    if (number + rows.length > mostRows)
      throw new Refusal(
        'There are more rows than the 1,048,576 of a spreadsheet. Choose CSV or JSON, or narrow the list.',
      )
    let text = ''
    for (const row of rows) {
      number++
      const cells = shown.map(({ index }) => row[index] ?? null)
      text += rowOf(number, cells, types)
    }
    yield text
  }
  yield sheetEnd
}

/** A workbook with one sheet, packed while its rows come in. */
export const xlsx: Format = async function* (order, batches) {
  const zip = new ZipFile()
  for (const [name, text] of Object.entries(workbookParts(order.title))) zip.addBuffer(Buffer.from(text), name)
  const rows = Readable.from(sheet(order, batches), { objectMode: false })
  const out = zip.outputStream as Readable
  rows.on('error', (error) => out.destroy(error))
  zip.addReadStream(rows, 'xl/worksheets/sheet1.xml', { compressionLevel: 3 })
  zip.end()
  for await (const piece of out) yield piece as Buffer
}
