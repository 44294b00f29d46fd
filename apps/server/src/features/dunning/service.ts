import type { dunning } from '@agency/contract'
import type { Dunning } from '@agency/contract/dunning'
import type { ResponseOf } from '@agency/contract/endpoint'
import type { RequestContext } from '../../context.ts'
import { toListed } from '../invoices/index.ts'
import { type DunningQuery, type FailedRow, findDunning, findFailedInvoices } from './queries.ts'

type Page = ResponseOf<typeof dunning.listFailedInvoices>

const toFailed = (ctx: RequestContext, row: FailedRow): Page['invoices'][number] => ({
  ...toListed(ctx, row),
  customer_name: row.customer_name,
  customer_email: row.customer_email,
  plan_name: row.plan_name,
  subscription_status: row.subscription_status,
  payment_id: row.payment_id,
  card: row.card,
  failed_at: row.failed_at,
  failure_code: row.failure_code,
  failure_message: row.failure_message,
  needs_customer: row.needs_customer,
  next_attempt_at: row.next_attempt_at,
})

export async function listFailedInvoices(ctx: RequestContext, query: DunningQuery): Promise<Page> {
  const page = await findFailedInvoices(ctx.pool, query)
  return { ...page, invoices: page.invoices.map((row) => toFailed(ctx, row)) }
}

/** This month begins where the account is. */
export const getDunning = (ctx: RequestContext): Promise<Dunning> =>
  findDunning(ctx.pool, new Date(ctx.clock()), ctx.config.settings.timeZone ?? 'UTC')
