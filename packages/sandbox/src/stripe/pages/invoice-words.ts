import type { Invoice } from '../types.ts'

const zeroDecimal = new Set('bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf'.split(' '))
const threeDecimal = new Set('bhd jod kwd omr tnd'.split(' '))

function digitsOf(currency: string): number {
  if (zeroDecimal.has(currency)) return 0
  return threeDecimal.has(currency) ? 3 : 2
}

/** `USD 1,234.50` */
export function amountText(amount: number, currency: string): string {
  const digits = digitsOf(currency)
  const options = { minimumFractionDigits: digits, maximumFractionDigits: digits }
  return `${currency.toUpperCase()} ${(amount / 10 ** digits).toLocaleString('en-US', options)}`
}

const dayText = (seconds: number): string => new Date(seconds * 1000).toISOString().slice(0, 10)

export type InvoiceWords = {
  title: string
  facts: [name: string, value: string][]
  lines: { description: string; quantity: string; amount: string }[]
  totals: [name: string, value: string][]
  memo: string | null
}

/** What an invoice says, on its page and in its file. */
export function invoiceWords(invoice: Invoice): InvoiceWords {
  const money = (amount: number) => amountText(amount, invoice.currency)
  const credit = invoice.amount_due - invoice.total
  return {
    title: `Invoice ${invoice.number ?? invoice.id}`,
    facts: [
      ['From', invoice.account_name ?? ''],
      ['To', invoice.customer_name ?? invoice.customer_email ?? ''],
      ['Email', invoice.customer_email ?? ''],
      ['Status', invoice.status ?? ''],
      ['Date', dayText(invoice.created)],
      ...(invoice.due_date ? [['Due', dayText(invoice.due_date)] as [string, string]] : []),
    ],
    lines: invoice.lines.data.map((line) => ({
      description: line.description ?? '',
      quantity: line.quantity === null ? '' : String(line.quantity),
      amount: money(line.amount),
    })),
    totals: [
      ['Total', money(invoice.total)],
      ...(credit === 0 ? [] : [['Credit balance', money(credit)] as [string, string]]),
      ['Amount due', money(invoice.amount_due)],
      ['Amount remaining', money(invoice.amount_remaining)],
    ],
    memo: invoice.description,
  }
}
