import { expect, test } from 'vitest'
import { titleOf } from './words.ts'

test.each([
  ['payment', null, 'succeeded', 'Payment succeeded'],
  ['payment', null, null, 'Payment'],
  ['refund', null, 'succeeded', 'Refund'],
  ['refund', null, 'requires_action', 'Refund requires action'],
  ['dispute', null, 'warning_needs_response', 'Dispute: warning needs response'],
  ['invoice', 'payment_failed', 'open', 'Invoice payment failed'],
  ['subscription', 'plan_changed cancel_undone', 'active', 'Plan changed · Cancellation undone'],
  // A provider may come up with states that nobody has words for.
  ['subscription', 'moved_elsewhere', null, 'Subscription: moved elsewhere'],
  ['subscription', null, null, 'Subscription'],
  ['purchase', 'unpaid', 'complete', 'Purchase awaiting payment'],
  ['purchase', null, null, 'Purchase'],
  ['deployment', 'deploy', 'success', 'Site deployed'],
  ['deployment', 'retry', 'building', 'Deploying site'],
  ['deployment', 'rollback', 'success', 'Site rolled back'],
  ['deployment', 'rollback', 'deploying', 'Rolling back site'],
  ['alert', 'Bakery is down', 'resolved', 'Bakery is down'],
  ['mail', null, 'kept', 'Email not sent (no mail server)'],
  ['mail', null, 'lost', 'Email'],
  ['note', null, null, 'Note'],
] as const)('%s %s %s', (kind, event, status, title) => {
  expect(titleOf({ kind, event, status })).toBe(title)
})
