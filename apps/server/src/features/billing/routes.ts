import { billing } from '@agency/contract'
import { routesOf } from '../../platform/http/routes.ts'
import { cancelSubscription } from './service/cancel-subscription.ts'
import { getPayment } from './service/get-payment.ts'
import { getStats } from './service/get-stats.ts'
import { getSubscription } from './service/get-subscription.ts'
import { listMoneyActions } from './service/list-money-actions.ts'
import { listPayments } from './service/list-payments.ts'
import { listPlans } from './service/list-plans.ts'
import { listSubscriptions } from './service/list-subscriptions.ts'
import { previewCancellation } from './service/preview-cancellation.ts'
import { refundPayment } from './service/refund-payment.ts'

export const billingRoutes = routesOf(billing, {
  listSubscriptions: ({ ctx, query }) => listSubscriptions(ctx, query),
  getSubscription: async ({ ctx, params }) => ({ subscription: await getSubscription(ctx, params.id) }),
  previewCancellation: ({ ctx, params }) => previewCancellation(ctx, params.id),
  cancelSubscription: ({ ctx, params, body, idempotencyKey }) =>
    cancelSubscription(ctx, params.id, body, idempotencyKey),
  listPayments: ({ ctx, query }) => listPayments(ctx, query),
  getPayment: async ({ ctx, params }) => ({ payment: await getPayment(ctx, params.id) }),
  refundPayment: ({ ctx, params, body, idempotencyKey }) => refundPayment(ctx, params.id, body, idempotencyKey),
  getStats: async ({ ctx }) => ({ stats: await getStats(ctx) }),
  listPlans: ({ ctx }) => listPlans(ctx),
  listMoneyActions: ({ ctx, query }) => listMoneyActions(ctx, query),
})
