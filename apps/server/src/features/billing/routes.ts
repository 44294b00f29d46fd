import { billing, billingChanges } from '@agency/contract'
import { routesOf } from '../../platform/http/routes.ts'
import { changePlan } from './service/change-plan.ts'
import {
  cancelSubscription,
  pauseSubscription,
  resumeSubscription,
  undoCancellation,
} from './service/change-subscription.ts'
import { getPayment } from './service/get-payment.ts'
import { getStats } from './service/get-stats.ts'
import { getSubscription } from './service/get-subscription.ts'
import { listMoneyActions } from './service/list-money-actions.ts'
import { listPayments } from './service/list-payments.ts'
import { listPlans } from './service/list-plans.ts'
import { listSubscriptions } from './service/list-subscriptions.ts'
import { previewCancellation } from './service/preview-cancellation.ts'
import { previewPlanChange } from './service/preview-plan-change.ts'
import { previewRefund } from './service/preview-refund.ts'
import { previewSubscriptionChange } from './service/preview-subscription-change.ts'
import { answerRefund, refundPayment } from './service/refund-payment.ts'
import { answerChange } from './service/send-change.ts'
import { getEvidence, settleAction } from './service/settle-by-hand.ts'

const readingAndRefunds = routesOf(billing, {
  listSubscriptions: ({ ctx, query }) => listSubscriptions(ctx, query),
  getSubscription: async ({ ctx, params }) => ({ subscription: await getSubscription(ctx, params.id) }),
  listPayments: ({ ctx, query }) => listPayments(ctx, query),
  getPayment: async ({ ctx, params }) => ({ payment: await getPayment(ctx, params.id) }),
  refundPayment: {
    handle: ({ ctx, params, body, claim }) => refundPayment(ctx, params.id, body, claim),
    replay: ({ ctx, subject }) => answerRefund(ctx, subject),
  },
  getStats: async ({ ctx }) => ({ stats: await getStats(ctx) }),
  listPlans: ({ ctx }) => listPlans(ctx),
  listMoneyActions: ({ ctx, query }) => listMoneyActions(ctx, query),
})

const changes = routesOf(billingChanges, {
  previewCancellation: ({ ctx, params }) => previewCancellation(ctx, params.id),
  previewSubscriptionChange: ({ ctx, params, query }) => previewSubscriptionChange(ctx, params.id, query),
  previewPlanChange: ({ ctx, params, query }) => previewPlanChange(ctx, params.id, query),
  previewRefund: ({ ctx, params, query }) => previewRefund(ctx, params.id, query.amount),
  cancelSubscription: {
    handle: ({ ctx, params, body, claim }) => cancelSubscription(ctx, params.id, body, claim),
    replay: ({ ctx, subject }) => answerChange(ctx, subject),
  },
  undoCancellation: {
    handle: ({ ctx, params, claim }) => undoCancellation(ctx, params.id, claim),
    replay: ({ ctx, subject }) => answerChange(ctx, subject),
  },
  pauseSubscription: {
    handle: ({ ctx, params, body, claim }) => pauseSubscription(ctx, params.id, body, claim),
    replay: ({ ctx, subject }) => answerChange(ctx, subject),
  },
  resumeSubscription: {
    handle: ({ ctx, params, claim }) => resumeSubscription(ctx, params.id, claim),
    replay: ({ ctx, subject }) => answerChange(ctx, subject),
  },
  changePlan: {
    handle: ({ ctx, params, body, claim }) => changePlan(ctx, params.id, body, claim),
    replay: ({ ctx, subject }) => answerChange(ctx, subject),
  },
  getEvidence: ({ ctx, params }) => getEvidence(ctx, params.id),
  settleAction: ({ ctx, params, body }) => settleAction(ctx, params.id, body),
})

export const billingRoutes = [...readingAndRefunds, ...changes]
