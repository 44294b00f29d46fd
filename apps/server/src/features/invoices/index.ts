import { invoices } from '@agency/contract'
import { routesOf } from '../../platform/http/routes.ts'
import { actOnInvoice, answerInvoice } from './service/act-on-invoice.ts'
import { createInvoice } from './service/create-invoice.ts'
import { answerLinkEmail, emailPaymentLink, getPaymentLinkEmail } from './service/email-payment-link.ts'
import { getInvoice } from './service/get-invoice.ts'
import { getInvoicing } from './service/get-invoicing.ts'
import { getPayer, getPaymentMethods, getSubscriptionPayer } from './service/get-payer.ts'
import { listInvoices } from './service/list-invoices.ts'
import { previewInvoice } from './service/preview-invoice.ts'

export { invoiceHandlers } from './delivery/deliver.ts'
export { toListed } from './listed.ts'
export { type InvoiceRow, listedColumns, listedJoins } from './queries/invoices.ts'
export { getPaymentMethods } from './service/get-payer.ts'

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
  getInvoicePayer: ({ ctx, params }) => getPayer(ctx, params.id),
  getSubscriptionPayer: ({ ctx, params }) => getSubscriptionPayer(ctx, params.id),
  listPaymentMethods: ({ ctx, params }) => getPaymentMethods(ctx, params.id),
  payInvoice: {
    handle: ({ ctx, params, body, claim }) => actOnInvoice(ctx, params.id, 'pay', claim, body),
    replay: ({ ctx, subject }) => answerInvoice(ctx, subject),
  },
  markInvoicePaid: {
    handle: ({ ctx, params, body, claim }) => actOnInvoice(ctx, params.id, 'mark_paid', claim, body),
    replay: ({ ctx, subject }) => answerInvoice(ctx, subject),
  },
  getPaymentLinkEmail: ({ ctx, params }) => getPaymentLinkEmail(ctx, params.id),
  emailPaymentLink: {
    handle: ({ ctx, params, body, claim }) => emailPaymentLink(ctx, params.id, body, claim),
    replay: ({ ctx, subject }) => answerLinkEmail(ctx, subject),
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
