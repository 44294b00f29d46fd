import { expect, test } from 'vitest'
import { titleOf } from './words.ts'

test.each([
  ['payment', null, 'succeeded', 'Payment succeeded'],
  ['payment', null, null, 'Payment'],
  ['refund', null, 'succeeded', 'Refund'],
  ['refund', null, 'requires_action', 'Refund requires action'],
  ['dispute', null, 'warning_needs_response', 'Dispute: warning needs response'],
  ['invoice', 'payment_failed', 'open', 'Payment of the invoice failed'],
  ['subscription', 'plan_changed cancel_undone', 'active', 'Plan changed · Cancellation undone'],
  // A provider may come up with states that nobody has words for.
  ['subscription', 'moved_elsewhere', null, 'Subscription: moved elsewhere'],
  ['subscription', null, null, 'Subscription'],
  ['purchase', 'unpaid', 'complete', 'Purchase waits for its payment'],
  ['purchase', null, null, 'Purchase'],
  ['deployment', 'deploy', 'success', 'Site deployed'],
  ['deployment', 'retry', 'building', 'Deployment runs'],
  ['deployment', 'rollback', 'success', 'Site rolled back'],
  ['deployment', 'rollback', 'deploying', 'Rollback runs'],
  ['alert', 'Bakery is down', 'resolved', 'Bakery is down'],
  ['mail', null, 'kept', 'Mail kept in the outbox'],
  ['mail', null, 'lost', 'Mail'],
  ['note', null, null, 'Note'],
] as const)('%s %s %s', (kind, event, status, title) => {
  expect(titleOf({ kind, event, status })).toBe(title)
})
