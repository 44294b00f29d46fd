import { paymentLinks } from '@agency/contract'
import { routesOf } from '../../platform/http/routes.ts'
import { answerLinks } from './delivery.ts'
import { createLink } from './service/create-link.ts'
import { previewLink } from './service/preview.ts'
import { getLink, listLinks, listPrices } from './service/read.ts'
import { switchLink } from './service/switch-link.ts'

export { paymentLinkHandlers } from './delivery.ts'

export const paymentLinkRoutes = routesOf(paymentLinks, {
  listPaymentLinks: ({ ctx, query }) => listLinks(ctx, query),
  getPaymentLink: ({ ctx, params }) => getLink(ctx, params.id),
  listLinkPrices: ({ ctx, query }) => listPrices(ctx, query.search),
  previewPaymentLink: ({ ctx, body }) => previewLink(ctx, body),
  createPaymentLink: {
    handle: ({ ctx, body, claim }) => createLink(ctx, body, claim),
    replay: ({ ctx, subject }) => answerLinks(ctx, subject),
  },
  switchPaymentLink: {
    handle: ({ ctx, params, body, claim }) => switchLink(ctx, params.id, body.active, claim),
    replay: ({ ctx, subject }) => answerLinks(ctx, subject),
  },
})
