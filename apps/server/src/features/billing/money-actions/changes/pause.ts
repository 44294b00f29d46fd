import { type Fields, fields, instant, integer, text } from '../../../../integrations/stripe/fields.ts'
import { invalidParameter } from '../../../../platform/errors.ts'
import { type ChangeOf, conflict, hasEnded, statusOf } from './change.ts'

const pauseOf = (subscription: Fields) => {
  const pause = fields(subscription['pause_collection'])
  return { behavior: text(pause['behavior']), resumes_at: integer(pause['resumes_at']) }
}

const blocked: Record<string, string> = {
  incomplete: 'The first payment is still missing: nothing to pause. Cancel instead.',
  paused: 'Already paused by Stripe: the trial ended without a payment method',
}

/** The subscription goes on, and its invoices are not collected. */
export const pause: ChangeOf<'pause'> = {
  prepare({ subscription, nowMs }, asked) {
    if (hasEnded(subscription)) throw conflict('This subscription has ended: nothing to pause')
    const reason = blocked[statusOf(subscription)]
    if (reason) throw conflict(reason)
    if (asked.resumes_at !== null && asked.resumes_at * 1000 <= nowMs)
      throw invalidParameter('resumes_at', 'must be in the future')
    return pause.isAchieved(subscription, asked) ? null : asked
  },
  foresee: ({ subscription }, { behavior, resumes_at }) => ({
    ...subscription,
    pause_collection: { behavior, resumes_at },
  }),
  isAchieved(subscription, { behavior, resumes_at }) {
    const now = pauseOf(subscription)
    return !hasEnded(subscription) && now.behavior === behavior && now.resumes_at === resumes_at
  },
  invoices: () => 'unchanged',
  undo: (foreseen) => ({ by: 'resume', until: instant(pauseOf(foreseen).resumes_at) }),
  send: (stripe, id, { behavior, resumes_at }, key) =>
    stripe.updateSubscription(id, { pause_collection: { behavior, ...(resumes_at !== null && { resumes_at }) } }, key),
}

/** Its next invoices are collected again. */
export const resume: ChangeOf<'resume'> = {
  prepare({ subscription }) {
    if (hasEnded(subscription)) throw conflict('This subscription has ended and cannot be resumed')
    if (pauseOf(subscription).behavior !== null) return {}
    throw conflict(
      statusOf(subscription) === 'paused'
        ? 'Paused by Stripe: the trial ended without a payment method. Continues when the customer adds one.'
        : 'Collection of this subscription is not paused',
    )
  },
  foresee: ({ subscription }) => ({ ...subscription, pause_collection: null }),
  isAchieved: (subscription) => !hasEnded(subscription) && pauseOf(subscription).behavior === null,
  invoices: () => 'unchanged',
  undo: () => ({ by: 'pause', until: null }),
  send: (stripe, id, _payload, key) => stripe.updateSubscription(id, { pause_collection: null }, key),
}
