import type { Invoice } from '../types.ts'
import { invoiceWords } from './invoice-words.ts'

const lineHeight = 18
const linesPerPage = 40

/** The standard fonts know Latin 1 only. */
const pdfText = (text: string): string =>
  text.replaceAll(/[^\u0020-\u007e\u00a0-\u00ff]/g, '?').replaceAll(/[\\()]/g, (sign) => `\\${sign}`)

function textOf(invoice: Invoice): string[] {
  const { title, facts, lines, totals, memo } = invoiceWords(invoice)
  return [
    title,
    '',
    ...facts.map(([name, value]) => `${name}: ${value}`),
    '',
    ...lines.map(({ description, quantity, amount }) => `${description.slice(0, 60)}   ${quantity}   ${amount}`),
    '',
    ...totals.map(([name, value]) => `${name}: ${value}`),
    ...(memo ? ['', memo.slice(0, 90)] : []),
  ]
}

const contentOf = (lines: string[]): string =>
  `BT /F1 11 Tf 56 780 Td ${lineHeight} TL ${lines.map((line) => `(${pdfText(line)}) Tj T*`).join(' ')} ET`

/** A plain file that every reader opens: objects, their offsets, and where those stand. */
export function invoicePdf(invoice: Invoice): Buffer {
  const lines = textOf(invoice)
  const pages: string[][] = []
  for (let at = 0; at < lines.length; at += linesPerPage) pages.push(lines.slice(at, at + linesPerPage))
  const kids = pages.map((_, index) => `${4 + index * 2} 0 R`)
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids.join(' ')}] /Count ${pages.length} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    ...pages.flatMap((page, index) => {
      const content = contentOf(page)
      return [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 3 0 R >> >> /Contents ${5 + index * 2} 0 R >>`,
        `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
      ]
    }),
  ]
  let file = '%PDF-1.4\n'
  const offsets = objects.map((object, index) => {
    const offset = file.length
    file += `${index + 1} 0 obj\n${object}\nendobj\n`
    return offset
  })
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  const end = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF\n`
  return Buffer.from(file + end, 'latin1')
}
