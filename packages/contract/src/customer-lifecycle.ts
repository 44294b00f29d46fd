import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { count, currency, idParams, instant, minorUnits, money } from './primitives.ts'

export const suspensionReasons = ['non_payment', 'abuse', 'customer_request', 'other'] as const
export const suspensionReason = z.enum(suspensionReasons)
export type SuspensionReason = z.output<typeof suspensionReason>

/** `keep`: invoices are collected as before. Else collection is paused, and this becomes of the invoices meanwhile. */
export const billingChoices = ['keep', 'keep_as_draft', 'void', 'mark_uncollectible'] as const
export const billingChoice = z.enum(billingChoices)
export type BillingChoice = z.output<typeof billingChoice>

export const lifecycleKinds = ['suspend', 'unsuspend', 'delete', 'erase'] as const
const kind = z.enum(lifecycleKinds)

const stepKind = z.enum(['record', 'pause', 'resume', 'sites', 'mail', 'delete_at_stripe', 'erase'])

export const lifecycleStep = z.object({
  position: count,
  kind: stepKind,
  /** The subscription, where the step is about one. */
  target_id: z.string().nullable(),
  /** What it does, in words. */
  title: z.string(),
  state: z.enum(['waiting', 'running', 'done', 'skipped', 'failed', 'cancelled']),
  /** What became of it, or why it does not get further. */
  note: z.string().nullable(),
  attempts: count,
  finished_at: instant.nullable(),
})
export type LifecycleStep = z.output<typeof lifecycleStep>

export const lifecycleRun = z.object({
  id: z.string(),
  kind,
  state: z.enum(['waiting', 'running', 'done', 'failed', 'cancelled']),
  actor_name: z.string(),
  created_at: instant,
  finished_at: instant.nullable(),
  next_try_at: instant.nullable(),
  /** Nothing was done yet, so that it can be called off. */
  can_cancel: z.boolean(),
  can_retry: z.boolean(),
  steps: z.array(lifecycleStep),
})
export type LifecycleRun = z.output<typeof lifecycleRun>

export const getLifecycle = endpoint({
  method: 'GET',
  path: '/stripe/customers/:id/lifecycle',
  permission: 'customers.read',
  summary: 'Whether a customer is suspended or deleted here, and the newest suspensions, deletions and their steps',
  params: idParams,
  response: z.object({
    suspension: z
      .object({
        at: instant,
        reason: suspensionReason,
        note: z.string().nullable(),
        by: z.string(),
        /** Once these are paid it is lifted. */
        awaited_invoices: z.array(z.string()),
      })
      .nullable(),
    deletion: z
      .object({ at: instant, by: z.string(), erase_at: instant.nullable(), erased_at: instant.nullable() })
      .nullable(),
    runs: z.array(lifecycleRun),
  }),
  topics: ['lifecycle', 'customers'],
})

export const reachedSubscription = z.object({
  id: z.string(),
  plan_name: z.string(),
  status: z.string(),
  mrr: minorUnits.nullable(),
  currency,
  change: z.enum(['paused', 'resumed', 'cancelled', 'unchanged']),
  /** Why it is left as it is, or what it means. */
  note: z.string().nullable(),
})

export const lifecyclePreview = z.object({
  kind,
  subscriptions: z.array(reachedSubscription),
  /** How monthly recurring revenue changes, by currency. Nothing where it stays. */
  mrr_change: z.array(money),
  open_invoices: z.object({ count, amounts: z.array(money), note: z.string().nullable() }),
  sites: z.object({ count, domains: count, note: z.string() }),
  mails: z.array(z.object({ to: z.string(), subject: z.string() })),
  /** What is done, in order. */
  steps: z.array(z.string()),
  undo: z.object({ until: instant.nullable(), text: z.string() }),
  warnings: z.array(z.string()),
  /** Why it cannot be done now. */
  blocked: z.string().nullable(),
  /** What has to be typed before nothing can be undone any more. */
  typed_name: z.string(),
})
export type LifecyclePreview = z.output<typeof lifecyclePreview>

const flag = z.enum(['true', 'false'])

export const previewSuspension = endpoint({
  method: 'GET',
  path: '/stripe/customers/:id/suspend',
  permission: 'customers.write',
  summary: 'What suspending a customer would affect',
  params: idParams,
  query: z.strictObject({
    reason: suspensionReason.default('other'),
    billing: billingChoice.default('keep'),
    notice: flag.default('false'),
  }),
  response: z.object({ preview: lifecyclePreview }),
  topics: ['lifecycle', 'customers', 'subscriptions', 'invoices'],
  isPersonal: true,
})

export const previewUnsuspension = endpoint({
  method: 'GET',
  path: '/stripe/customers/:id/unsuspend',
  permission: 'customers.write',
  summary: 'What lifting a suspension would affect',
  params: idParams,
  query: z.strictObject({ notice: flag.default('false') }),
  response: z.object({ preview: lifecyclePreview }),
  topics: ['lifecycle', 'customers', 'subscriptions', 'invoices'],
  isPersonal: true,
})

export const previewDeletion = endpoint({
  method: 'GET',
  path: '/stripe/customers/:id/delete',
  permission: 'customers.delete',
  summary: 'What deleting a customer would affect',
  params: idParams,
  query: z.strictObject({ at_stripe: flag.default('false') }),
  response: z.object({ preview: lifecyclePreview }),
  topics: ['lifecycle', 'customers', 'subscriptions', 'invoices'],
  isPersonal: true,
})

export const previewErasure = endpoint({
  method: 'GET',
  path: '/stripe/customers/:id/erase',
  permission: 'customers.delete',
  summary: 'What erasing a deleted customer would affect',
  params: idParams,
  response: z.object({ preview: lifecyclePreview }),
  topics: ['lifecycle', 'customers', 'subscriptions', 'invoices'],
  isPersonal: true,
})

const maxNoteLength = 500
const note = z
  .string()
  .trim()
  .max(maxNoteLength, `A note has ${maxNoteLength} characters at most`)
  .refine((text) => !text.includes('\0') && text.isWellFormed(), 'A note is text')
  .transform((text) => (text === '' ? null : text))
  .nullable()

const started = z.object({ run: lifecycleRun })

export const suspendCustomer = endpoint({
  method: 'POST',
  path: '/stripe/customers/:id/suspend',
  permission: 'customers.write',
  summary: 'Suspend a customer; pausing collection needs billing.write too',
  params: idParams,
  body: z
    .strictObject({
      reason: suspensionReason,
      note: note.default(null),
      billing: billingChoice,
      notice: z.boolean(),
    })
    .refine(({ reason, note: text }) => reason !== 'other' || text !== null, {
      path: ['note'],
      message: 'Enter a note',
    }),
  response: started,
  idempotent: true,
})

export const unsuspendCustomer = endpoint({
  method: 'POST',
  path: '/stripe/customers/:id/unsuspend',
  permission: 'customers.write',
  summary: 'Lift a suspension, and resume the collection that it paused; that needs billing.write too',
  params: idParams,
  body: z.strictObject({ notice: z.boolean() }),
  response: started,
  idempotent: true,
})

export const deleteCustomer = endpoint({
  method: 'POST',
  path: '/stripe/customers/:id/delete',
  permission: 'customers.delete',
  summary: 'Hide a customer for 30 days, then erase who it is; deleting at Stripe too is for super admins',
  params: idParams,
  body: z.strictObject({
    at_stripe: z.boolean(),
    /** The customer's name, as the preview says it; needed to delete at Stripe. */
    typed_name: z.string().max(600).optional(),
  }),
  response: started,
  idempotent: true,
})

export const restoreCustomer = endpoint({
  method: 'POST',
  path: '/stripe/customers/:id/restore',
  permission: 'customers.delete',
  summary: 'Bring a deleted customer back into the lists',
  params: idParams,
  response: z.object({ success: z.literal(true) }),
})

export const eraseCustomer = endpoint({
  method: 'POST',
  path: '/stripe/customers/:id/erase',
  permission: 'customers.delete',
  summary: 'Erase who a deleted customer is now, for super admins; money stays counted',
  params: idParams,
  body: z.strictObject({ typed_name: z.string().max(600) }),
  response: started,
  idempotent: true,
})

const runParams = z.object({ ...idParams.shape, run: z.string().min(1).max(64) })

export const retryLifecycleRun = endpoint({
  method: 'POST',
  path: '/stripe/customers/:id/lifecycle/:run/retry',
  permission: 'customers.write',
  summary: 'Try the step that failed, or that waits for its next try, again now',
  params: runParams,
  response: started,
})

export const cancelLifecycleRun = endpoint({
  method: 'POST',
  path: '/stripe/customers/:id/lifecycle/:run/cancel',
  permission: 'customers.write',
  summary: 'Cancel what has not begun yet',
  params: runParams,
  response: started,
})
