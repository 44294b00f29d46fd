import { invoices } from '@agency/contract'
import { routesOf } from '../../platform/http/routes.ts'
import { actOnInvoice, answerInvoice } from './service/act-on-invoice.ts'
import { createInvoice } from './service/create-invoice.ts'
import { getInvoice } from './service/get-invoice.ts'
import { getInvoicing } from './service/get-invoicing.ts'
import { listInvoices } from './service/list-invoices.ts'
import { previewInvoice } from './service/preview-invoice.ts'

export { invoiceHandlers } from './delivery/deliver.ts'

export const invoiceRoutes = routesOf(invoices, {
  listCustomerInvoices: ({ ctx, params, query }) => listInvoices(ctx, params.id, query),
  getInvoice: async ({ ctx, params }) => ({ invoice: await getInvoice(ctx, params.id) }),
  getInvoicing: ({ ctx, params }) => getInvoicing(ctx, params.id),
  previewInvoice: ({ ctx, body }) => previewInvoice(ctx, body),
  createInvoice: {
    handle: ({ ctx, body, claim }) => createInvoice(ctx, body, claim),
    replay: ({ ctx, subject }) => answerInvoice(ctx, subject),
  },
  sendInvoice: {
    handle: ({ ctx, params, claim }) => actOnInvoice(ctx, params.id, 'send', claim),
    replay: ({ ctx, subject }) => answerInvoice(ctx, subject),
  },
  voidInvoice: {
    handle: ({ ctx, params, claim }) => actOnInvoice(ctx, params.id, 'void', claim),
    replay: ({ ctx, subject }) => answerInvoice(ctx, subject),
  },
  markInvoiceUncollectible: {
    handle: ({ ctx, params, claim }) => actOnInvoice(ctx, params.id, 'mark_uncollectible', claim),
    replay: ({ ctx, subject }) => answerInvoice(ctx, subject),
  },
})
