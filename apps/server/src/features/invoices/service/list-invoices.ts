import type { invoices } from '@agency/contract'
import type { ResponseOf } from '@agency/contract/endpoint'
import type { RequestContext } from '../../../context.ts'
import { toListed } from '../listed.ts'
import { findPage, type InvoicesQuery } from '../queries/invoices.ts'

export async function listInvoices(
  ctx: RequestContext,
  customer: string,
  query: InvoicesQuery,
): Promise<ResponseOf<typeof invoices.listCustomerInvoices>> {
  const page = await findPage(ctx.pool, customer, query)
  return { ...page, invoices: page.invoices.map((row) => toListed(ctx, row)) }
}
