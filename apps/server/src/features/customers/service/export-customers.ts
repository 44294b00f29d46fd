import type { RequestContext } from '../../../context.ts'
import { byteOrderMark, type Cell, csvLine } from '../../../platform/csv.ts'
import { type Piece, sendDownload } from '../../../platform/http/download.ts'
import type { Reply } from '../../../platform/http/routes.ts'
import { decimalText } from '../../../platform/money-text.ts'
import type { CustomerFilters } from '../queries/customers.ts'
import { type ExportedCustomer, readCustomers } from '../queries/export.ts'

const columns: [title: string, cell: (customer: ExportedCustomer) => Cell][] = [
  ['Customer', (customer) => customer.name],
  ['Email', (customer) => customer.email],
  ['Phone', (customer) => customer.phone],
  ['Company', (customer) => customer.company],
  ['Country', (customer) => customer.country],
  ['Account Type', (customer) => customer.account_type],
  ['Status', (customer) => customer.status],
  ['Sites', (customer) => customer.site_count],
  ['Revenue', (customer) => ({ decimal: decimalText(customer.total_revenue, customer.currency) })],
  ['Currency', (customer) => customer.currency.toUpperCase()],
  ['Revenue in other currencies', (customer) => otherRevenue(customer.other_revenue)],
  ['Created', (customer) => customer.created_at],
  ['Last Payment', (customer) => customer.last_payment_at],
  ['Stripe ID', (customer) => customer.id],
]

function otherRevenue(revenue: Record<string, number> | null): string | null {
  if (revenue === null) return null
  return Object.entries(revenue)
    .map(([currency, amount]) => `${currency.toUpperCase()} ${decimalText(amount, currency)}`)
    .join('; ')
}

const toLine = (customer: ExportedCustomer): string => csvLine(columns.map(([, cell]) => cell(customer)))

async function* toCsv(ctx: RequestContext, filters: CustomerFilters): AsyncGenerator<Piece> {
  yield { text: byteOrderMark + csvLine(columns.map(([title]) => title)), rows: 0 }
  for await (const customers of readCustomers(ctx.pool, filters))
    yield { text: customers.map(toLine).join(''), rows: customers.length }
}

/** The file with all customers that match. */
export function exportCustomers(ctx: RequestContext, filters: CustomerFilters, reply: Reply) {
  const day = new Date(ctx.clock()).toISOString().slice(0, 10)
  return sendDownload(ctx, reply, {
    fileName: `customers-${day}.csv`,
    contentType: 'text/csv; charset=utf-8',
    pieces: toCsv(ctx, filters),
    audit: { action: 'customers.export', resource: 'customers', after: { filters } },
  })
}
