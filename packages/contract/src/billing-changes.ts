import { z } from 'zod'
import { invoice, moneyAction, payment, subscription, subscriptionStatus } from './billing.ts'
import { endpoint } from './endpoint.ts'
import { currency, idParams, instant, minorUnits } from './primitives.ts'

const subscriptionState = z.object({
  status: subscriptionStatus,
  plan_id: z.string().nullable(),
  plan_name: z.string(),
  amount: minorUnits.nullable(),
  interval: z.string().nullable(),
  interval_count: z.int().nullable(),
  mrr: minorUnits.nullable(),
  current_period_end: instant.nullable(),
  cancel_at: instant.nullable(),
  cancel_at_period_end: z.boolean(),
  pause_collection: z.string().nullable(),
  pause_resumes_at: instant.nullable(),
})

const paymentState = z.object({
  status: payment.shape.status,
  refunded_amount: minorUnits.nullable(),
  refundable_amount: minorUnits.nullable(),
})

/** What an act would change, worked out by the same rules that then carry it out. */
export const reach = z.object({
  action: moneyAction.shape.kind,
  /** Why it cannot be done; then nothing would change. */
  refusal: z.string().nullable(),
  /** It is so already: doing it succeeds and changes nothing. */
  is_so_already: z.boolean(),
  subscriptions: z.array(
    z.object({
      id: z.string(),
      customer_name: z.string().nullable(),
      currency,
      before: subscriptionState,
      after: subscriptionState,
    }),
  ),
  payment: z
    .object({ id: z.string(), amount: minorUnits, currency, before: paymentState, after: paymentState })
    .nullable(),
  /** What these subscriptions add to MRR: now, and from `at` on. */
  mrr: z.array(z.object({ currency, before: minorUnits.nullable(), after: minorUnits.nullable(), at: instant })),
  /** Unpaid ones. `not_collected`: stays as it is, and the provider no longer tries to collect it. */
  invoices: z.array(z.object({ ...invoice.shape, becomes: z.enum(['unchanged', 'not_collected']) })),
  /** What takes it back, and until when; null: nothing does. */
  undo: z.object({ by: moneyAction.shape.kind, until: instant.nullable() }).nullable(),
})
export type Reach = z.output<typeof reach>

const cancelAt = z.enum(['now', 'period_end'])

export const previewCancellation = endpoint({
  method: 'GET',
  path: '/stripe/subscriptions/:id/cancellation',
  permission: 'billing.read',
  summary: 'What cancelling would end, now and at the end of the period',
  params: idParams,
  response: z.object({
    subscription,
    now: z.object({
      ends_at: instant,
      unused_until: instant.nullable(),
      mrr_lost: minorUnits.nullable(),
      currency,
      open_invoices: z.array(invoice),
      reach,
    }),
    period_end: z.object({
      ends_at: instant.nullable(),
      mrr_lost: minorUnits.nullable(),
      currency,
      already_scheduled: z.boolean(),
      reach,
    }),
  }),
})

const changed = z.object({ success: z.literal(true), subscription })

export const cancelSubscription = endpoint({
  method: 'POST',
  path: '/stripe/subscriptions/:id/cancel',
  permission: 'billing.write',
  summary: 'Cancel a subscription, at once or at the end of its period',
  params: idParams,
  body: z.strictObject({ at: cancelAt.default('now') }).nullish(),
  response: changed,
  idempotent: true,
})

export const undoCancellation = endpoint({
  method: 'POST',
  path: '/stripe/subscriptions/:id/undo-cancel',
  permission: 'billing.write',
  summary: 'Undo the scheduled cancellation of a subscription',
  params: idParams,
  body: z.strictObject({}).nullish(),
  response: changed,
  idempotent: true,
})

const pauseBehavior = z.enum(['void', 'keep_as_draft', 'mark_uncollectible'])
export type PauseBehavior = z.output<typeof pauseBehavior>

export const pauseSubscription = endpoint({
  method: 'POST',
  path: '/stripe/subscriptions/:id/pause',
  permission: 'billing.write',
  summary: 'Pause the collection of a subscription, until a moment or until it is resumed',
  params: idParams,
  body: z.strictObject({ behavior: pauseBehavior, resumes_at: instant.nullish() }),
  response: changed,
  idempotent: true,
})

export const resumeSubscription = endpoint({
  method: 'POST',
  path: '/stripe/subscriptions/:id/resume',
  permission: 'billing.write',
  summary: 'Collect the invoices of a paused subscription again',
  params: idParams,
  body: z.strictObject({}).nullish(),
  response: changed,
  idempotent: true,
})

export const previewSubscriptionChange = endpoint({
  method: 'GET',
  path: '/stripe/subscriptions/:id/reach',
  permission: 'billing.read',
  summary: 'What undoing a cancellation, pausing or resuming would change',
  params: idParams,
  query: z.strictObject({
    action: z.enum(['undo_cancel', 'pause', 'resume']),
    behavior: pauseBehavior.default('void'),
    resumes_at: instant.optional(),
  }),
  response: z.object({ reach }),
})

/** The difference for the rest of the period: charged at once, with the next invoice, or not at all. */
const proration = z.enum(['now', 'next_invoice', 'none'])
export type Proration = z.output<typeof proration>

const planChoice = {
  price: z.string().min(1).max(255),
  /** Which item gets the price; needed when there are several. */
  item: z.string().min(1).max(255).optional(),
}

/** The provider's own preview of the invoice that comes next. */
export const nextInvoice = z.object({
  currency,
  subtotal: minorUnits,
  total: minorUnits,
  /** What is charged: the total less the customer's credit; never below 0. */
  amount_due: minorUnits,
  charged_at: instant,
  charged_now: z.boolean(),
  lines: z.array(
    z.object({
      description: z.string().nullable(),
      amount: minorUnits,
      is_proration: z.boolean(),
      period_start: instant.nullable(),
      period_end: instant.nullable(),
    }),
  ),
  /** The provider listed the first lines only; the totals count all of them. */
  has_more_lines: z.boolean(),
})
export type NextInvoice = z.output<typeof nextInvoice>

export const previewPlanChange = endpoint({
  method: 'GET',
  path: '/stripe/subscriptions/:id/plan-change',
  permission: 'billing.read',
  summary: 'What another price would change and charge, as previewed by Stripe',
  params: idParams,
  query: z.strictObject({ ...planChoice, proration: proration.default('next_invoice') }),
  response: z.object({
    reach,
    /** null when it is refused, or when no invoice would come. */
    next_invoice: nextInvoice.nullable(),
    /** Seconds; sent with the change, so that what is charged is what was shown. */
    proration_date: z.int(),
  }),
})

export const changePlan = endpoint({
  method: 'POST',
  path: '/stripe/subscriptions/:id/plan',
  permission: 'billing.write',
  summary: 'Move a subscription to another price',
  params: idParams,
  body: z.strictObject({
    ...planChoice,
    proration: proration.default('next_invoice'),
    proration_date: z.int('must be a whole number of seconds').positive().optional(),
    /** What the preview said would be charged: if that has changed meanwhile, nothing is done. */
    expected_amount_due: minorUnits.optional(),
  }),
  response: changed,
  idempotent: true,
})

export const previewRefund = endpoint({
  method: 'GET',
  path: '/stripe/payments/:id/refund-reach',
  permission: 'billing.read',
  summary: 'What a refund would change; without `amount`, of the remaining amount',
  params: idParams,
  query: z.strictObject({ amount: z.coerce.number().optional() }),
  response: z.object({ reach }),
})

export const getEvidence = endpoint({
  method: 'GET',
  path: '/stripe/actions/:id/evidence',
  permission: 'billing.write',
  summary: 'What Stripe shows now of an action whose outcome is unknown',
  params: idParams,
  response: z.object({
    happened: z.boolean(),
    facts: z.array(z.string()),
    /** Until then Stripe may not show yet what it has done; null: it can be settled now. */
    settle_from: instant.nullable(),
  }),
})

export const settleAction = endpoint({
  method: 'POST',
  path: '/stripe/actions/:id/settle',
  permission: 'billing.write',
  summary: 'Settle an action whose outcome is unknown, as Stripe shows it',
  params: idParams,
  body: z.strictObject({ outcome: z.enum(['happened', 'not_happened']) }),
  response: z.object({ action: moneyAction }),
})
