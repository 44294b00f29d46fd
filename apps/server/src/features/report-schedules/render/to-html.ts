import { type Html, html } from '../../../platform/html.ts'
import { readable, textOn } from './brand.ts'
import type { Block, Figure, ReportMail, Table } from './mail.ts'

// Mail programs know no stylesheets that all of them obey, so each element carries its own; and tables lay it out.
const font = "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"
const [ink, muted, hairline, page] = ['#1b1f24', '#5b6570', '#e2e5ea', '#f5f6f8']
const cell = `padding:8px 8px 8px 0;border-bottom:1px solid ${hairline};font-size:13px;line-height:20px;vertical-align:top`

const heading = (title: string, accent: string): Html =>
  html`<h2 style="margin:28px 0 8px;font-size:16px;line-height:24px;font-weight:600;color:${accent}">${title}</h2>`

const paragraph = (text: string, color = ink): Html =>
  html`<p style="margin:0 0 8px;font-size:14px;line-height:20px;color:${color};overflow-wrap:anywhere">${text}</p>`

const figureCell = (figure: Figure | undefined): Html =>
  figure === undefined
    ? html`<td width="50%"></td>`
    : html`<td width="50%" style="padding:12px 12px 12px 0;border-bottom:1px solid ${hairline};vertical-align:top">
<div style="font-size:13px;line-height:18px;color:${muted}">${figure.label}</div>
<div style="font-size:20px;line-height:28px;font-weight:500;color:${ink};overflow-wrap:anywhere">${figure.value}</div>
${figure.note === null ? null : html`<div style="font-size:13px;line-height:18px;color:${muted}">${figure.note}</div>`}</td>`

/** Two in a row, which still fit on a phone. */
function figuresTable(figures: readonly Figure[]): Html {
  const pairs = figures.flatMap((figure, index) => (index % 2 === 0 ? [[figure, figures[index + 1]] as const] : []))
  return html`<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="border-collapse:collapse;table-layout:fixed">
${pairs.map(([left, right]) => html`<tr>${figureCell(left)}${figureCell(right)}</tr>`)}</table>`
}

const align = (index: number): string =>
  index === 0 ? 'text-align:left' : 'text-align:right;font-variant-numeric:tabular-nums'

const headCell = (title: string, index: number): Html =>
  html`<th scope="col" style="${cell};font-weight:600;color:${muted};${align(index)}">${title}</th>`

/** Figures stay whole; only a name may be broken where it is too long. */
const valueCell = (text: string, index: number): Html =>
  html`<td style="${cell};${index === 0 ? 'overflow-wrap:anywhere' : 'white-space:nowrap'};${align(index)}">${text}</td>`

const wideRow = ([name = '', ...values]: readonly string[]): Html =>
  html`<tr><td colspan="${values.length}" style="${cell};padding-bottom:0;border-bottom:0;font-weight:600;overflow-wrap:anywhere">${name}</td></tr>
<tr>${values.map(valueCell)}</tr>`

function rowsTable({ head, rows, isWide = false }: Table): Html {
  const heads = isWide ? head.slice(1) : head
  return html`<table width="100%" cellpadding="0" cellspacing="0" style="border-collapse:collapse;color:${ink}">
<thead><tr>${heads.map(headCell)}</tr></thead>
<tbody>${rows.map((row) => (isWide ? wideRow(row) : html`<tr>${row.map(valueCell)}</tr>`))}</tbody></table>`
}

function blockHtml(block: Block, accent: string): Html {
  switch (block.kind) {
    case 'figures':
      return html`${block.title === null ? null : heading(block.title, accent)}${figuresTable(block.figures)}`
    case 'table':
      return html`${heading(block.title, accent)}${
        block.rows.length === 0 ? paragraph(block.none, muted) : rowsTable(block)
      }`
    case 'words':
      return html`${heading(block.title, accent)}${block.paragraphs.map((text) => paragraph(text))}`
    case 'note':
      return html`<p style="margin:8px 0;font-size:13px;line-height:18px;color:${muted};overflow-wrap:anywhere">${block.text}</p>`
  }
}

/** A page that needs nothing from elsewhere. All that is not ours is text in it. */
export function toHtml(mail: ReportMail): string {
  const { company, color, subject, title, period, greeting, lead, blocks, link, footer, stop } = mail
  const accent = readable(color)
  const body = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light">
<title>${subject}</title>
</head>
<body style="margin:0;padding:0;background:${page}">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="background:${page};${font}">
<tr><td align="center" style="padding:24px 12px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:640px;margin:0 auto;background:#ffffff;border:1px solid ${hairline};border-radius:8px;border-collapse:separate;text-align:left">
<tr><td style="padding:20px 24px;background:${color};color:${textOn(color)};border-radius:7px 7px 0 0;font-size:16px;line-height:24px;font-weight:600;overflow-wrap:anywhere">${company}</td></tr>
<tr><td style="padding:24px">
<h1 style="margin:0;font-size:22px;line-height:30px;font-weight:600;color:${ink};overflow-wrap:anywhere">${title}</h1>
<p style="margin:4px 0 16px;font-size:14px;line-height:20px;color:${muted}">${period}</p>
${greeting === null ? null : paragraph(greeting)}
${lead === null ? null : html`<p style="margin:0 0 16px;font-size:16px;line-height:24px;color:${ink};overflow-wrap:anywhere">${lead}</p>`}
${blocks.map((block) => blockHtml(block, accent))}
${
  link === null
    ? null
    : html`<p style="margin:28px 0 0"><a href="${link.href}" style="display:inline-block;padding:10px 16px;background:${color};color:${textOn(color)};border-radius:8px;font-size:14px;line-height:20px;font-weight:500;text-decoration:none">${link.text}</a></p>`
}
</td></tr>
<tr><td style="padding:16px 24px;border-top:1px solid ${hairline}">
${footer.map((text) => html`<p style="margin:0 0 4px;font-size:13px;line-height:18px;color:${muted};overflow-wrap:anywhere">${text}</p>`)}
${stop === null ? null : html`<p style="margin:0;font-size:13px;line-height:18px"><a href="${stop.href}" style="color:${muted};text-decoration:underline">${stop.text}</a></p>`}
</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`
  return body.markup
}
