import { Readable } from 'node:stream'
import { type AppContext, inTransaction, type RequestContext } from '../../../context.ts'
import { recordAudit } from '../../../platform/audit.ts'
import { AppError } from '../../../platform/errors.ts'
import { type Reply, streamed } from '../../../platform/http/routes.ts'
import { decimalText } from '../../../platform/money-text.ts'
import { byteOrderMark, type Cell, csvLine } from '../csv.ts'
import type { CustomerFilters } from '../queries/customers.ts'
import { type ExportedCustomer, readCustomers } from '../queries/export.ts'

/** Each holds a connection of the pool while it runs. */
const atOnce = 2
/** Whoever does not read for so long is gone, or holds up the others. */
const patienceMs = 60_000

const createExports = () => ({ running: 0 })

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

type Progress = { rows: number; isComplete: boolean; isStalled: boolean }

async function* toCsv(ctx: RequestContext, filters: CustomerFilters, progress: Progress): AsyncGenerator<string> {
  yield byteOrderMark + csvLine(columns.map(([title]) => title))
  for await (const customers of readCustomers(ctx.pool, filters)) {
    progress.rows += customers.length
    yield customers.map(toLine).join('')
  }
  progress.isComplete = true
}

/** Ends the stream when its reader takes nothing for too long. */
function watch(stream: Readable, progress: Progress): void {
  let seen = -1
  const timer = setInterval(() => {
    if (progress.rows === seen) {
      progress.isStalled = true
      stream.destroy()
    }
    seen = progress.rows
  }, patienceMs)
  stream.once('close', () => clearInterval(timer))
}

async function recordEnd(ctx: RequestContext, filters: CustomerFilters, progress: Progress): Promise<void> {
  const reason = progress.isStalled ? 'the reader stalled' : 'it was broken off'
  await inTransaction(ctx, (tx) =>
    recordAudit(tx, {
      action: 'customers.export_end',
      resource: 'customers',
      id: null,
      outcome: progress.isComplete ? 'done' : 'failed',
      after: { filters, rows: progress.rows, ...(!progress.isComplete && { reason }) },
    }),
  )
}

/** The file with all customers that match. Who asked for it is written down before the first row leaves. */
export async function exportCustomers(ctx: RequestContext, filters: CustomerFilters, reply: Reply) {
  const exports = (ctx as AppContext).instance(createExports)
  if (exports.running >= atOnce)
    throw new AppError('too_many_requests', 'Other exports are running; try again when they are done', {
      retryAfter: 15,
    })
  exports.running++
  const progress: Progress = { rows: 0, isComplete: false, isStalled: false }
  try {
    await inTransaction(ctx, (tx) =>
      recordAudit(tx, { action: 'customers.export', resource: 'customers', id: null, after: { filters } }),
    )
  } catch (error) {
    exports.running--
    throw error
  }
  const stream = Readable.from(toCsv(ctx, filters, progress), { objectMode: false })
  stream.once('close', () => {
    exports.running--
    recordEnd(ctx, filters, progress).catch((error: unknown) => ctx.log.error({ err: error }, 'export not recorded'))
  })
  watch(stream, progress)
  const day = new Date(ctx.clock()).toISOString().slice(0, 10)
  reply.header('content-type', 'text/csv; charset=utf-8').header('cache-control', 'no-store')
  reply.header('content-disposition', `attachment; filename="customers-${day}.csv"`)
  reply.send(stream)
  return streamed
}
