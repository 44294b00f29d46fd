import { invoices } from '@agency/contract'
import { routesOf } from '../../platform/http/routes.ts'
import { actOnInvoice } from './service/act-on-invoice.ts'
import { createInvoice } from './service/create-invoice.ts'
import { getInvoice } from './service/get-invoice.ts'
import { getInvoicing } from './service/get-invoicing.ts'
import { listInvoices } from './service/list-invoices.ts'
import { previewInvoice } from './service/preview-invoice.ts'

export const invoiceRoutes = routesOf(invoices, {
  listCustomerInvoices: ({ ctx, params, query }) => listInvoices(ctx, params.id, query),
  getInvoice: async ({ ctx, params }) => ({ invoice: await getInvoice(ctx, params.id) }),
  getInvoicing: ({ ctx, params }) => getInvoicing(ctx, params.id),
  previewInvoice: ({ ctx, body }) => previewInvoice(ctx, body),
  createInvoice: ({ ctx, body, idempotencyKey }) => createInvoice(ctx, body, idempotencyKey),
  sendInvoice: ({ ctx, params, idempotencyKey }) => actOnInvoice(ctx, params.id, 'send', idempotencyKey),
  voidInvoice: ({ ctx, params, idempotencyKey }) => actOnInvoice(ctx, params.id, 'void', idempotencyKey),
  markInvoiceUncollectible: ({ ctx, params, idempotencyKey }) =>
    actOnInvoice(ctx, params.id, 'mark_uncollectible', idempotencyKey),
})
