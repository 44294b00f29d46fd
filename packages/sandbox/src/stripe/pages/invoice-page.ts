import type { Invoice } from '../types.ts'
import { invoiceWords } from './invoice-words.ts'

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
export const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (sign) => entities[sign] ?? '')

export const style = `body{font:16px/1.5 system-ui,sans-serif;color:#1b1f24;background:#f5f6f8;margin:0}
main{max-width:640px;margin:48px auto;padding:32px;background:#fff;border:1px solid #e2e5ea;border-radius:8px}
table{width:100%;border-collapse:collapse;margin:24px 0}td,th{padding:8px 0;border-bottom:1px solid #e2e5ea;text-align:left}
td:last-child,th:last-child{text-align:right}dl{display:grid;grid-template-columns:160px 1fr;gap:4px 16px}dt{color:#5b6570}dd{margin:0;overflow-wrap:anywhere}`

const pairs = (list: [string, string][]): string =>
  list.map(([name, value]) => `<dt>${escaped(name)}</dt><dd>${escaped(value)}</dd>`).join('')

/** The page that a customer opens from the mail. */
export function invoicePage(invoice: Invoice): string {
  const { title, facts, lines, totals, memo } = invoiceWords(invoice)
  const rows = lines
    .map(
      (line) =>
        `<tr><td>${escaped(line.description)}</td><td>${escaped(line.quantity)}</td><td>${escaped(line.amount)}</td></tr>`,
    )
    .join('')
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escaped(title)}</title>
<meta name="viewport" content="width=device-width,initial-scale=1"><style>${style}</style></head>
<body><main><h1>${escaped(title)}</h1><dl>${pairs(facts)}</dl>
<table><thead><tr><th scope="col">Description</th><th scope="col">Quantity</th><th scope="col">Amount</th></tr></thead><tbody>${rows}</tbody></table>
<dl>${pairs(totals)}</dl>${memo ? `<p>${escaped(memo)}</p>` : ''}
<p><a href="/invoice/${encodeURIComponent(invoice.id)}/pdf">Download PDF</a></p>
<p><small>A page of the sandbox: nothing can be paid here.</small></p></main></body></html>`
}
