import { describe, expect, test } from 'vitest'
import type { SiteRecord } from './queries/sites.ts'
import { refusalOf, undoableUntil, undoRefusalOf } from './reset-rules.ts'

const paid: SiteRecord = {
  id: 'cs_1',
  checkout_status: 'complete',
  payment_status: 'paid',
  amount: 4000,
  currency: 'usd',
  customer_id: null,
  customer_name: null,
  customer_email: null,
  payment_id: 'pi_1',
  payment_state: 'succeeded',
  payment_description: null,
  refunded_amount: 0,
  subscription_id: null,
  product_name: null,
  metadata: {},
  is_reset: false,
  created_at: '2026-11-20T12:00:00Z',
  fetched_at: '2026-11-20T12:00:00Z',
  site_id: 'site_1',
  buyer_name: null,
  is_test: true,
  has_open_refund: false,
  subscription_status: null,
  reset_by: null,
  reset_at: null,
}
const live = { is_test: false }
const refunded = { payment_state: 'refunded', refunded_amount: 4000 }

describe('a reset', () => {
  test.each<[string, Partial<SiteRecord>, string | null]>([
    ['a test purchase', {}, null],
    ['a test purchase that was refunded', refunded, null],
    ['a test purchase with a running subscription', { subscription_status: 'active' }, null],
    ['one that is reset', { reset_by: 'Ada', reset_at: '2026-11-21T08:00:00Z' }, 'Already reset by Ada on 2026-11-21.'],
    ['an open checkout', { checkout_status: 'open', payment_status: 'unpaid' }, 'The checkout is not paid yet.'],
    [
      'an abandoned checkout',
      { checkout_status: 'expired', payment_status: 'unpaid' },
      'The checkout failed or was abandoned.',
    ],
    ['one with a refund under way', { has_open_refund: true }, 'A refund is in progress. Reset afterwards.'],
    ['a live purchase', live, 'Live purchase: refund in full first.'],
    ['a live purchase of an unknown amount', { ...live, amount: null }, 'Live purchase: refund in full first.'],
    [
      'a live purchase that was refunded in part',
      { ...live, refunded_amount: 1000 },
      'Live purchase, $10.00 of $40.00 refunded: refund the remaining amount first.',
    ],
    ['a live purchase that was refunded', { ...live, ...refunded }, null],
    [
      'a live purchase that cost nothing',
      { ...live, amount: 0, payment_id: null, payment_state: null, payment_status: 'no_payment_required' },
      null,
    ],
    [
      'a refunded live purchase whose subscription runs',
      { ...live, ...refunded, subscription_status: 'past_due' },
      'Live purchase with an active subscription: cancel the subscription first.',
    ],
    [
      'a refunded live purchase whose subscription ended',
      { ...live, ...refunded, subscription_status: 'cancelled' },
      null,
    ],
  ])('of %s', (_, change, refusal) => {
    expect(refusalOf({ ...paid, ...change })).toBe(refusal)
  })
})

describe('an undo', () => {
  const reset = {
    kind: 'reset',
    at: '2026-11-01T12:00:00Z',
    undone_by: null,
    is_known: true,
    is_sold_again: false,
  } as const
  const dayMs = 86_400_000
  const after = (days: number, ms = 0) => Date.parse(reset.at) + days * dayMs + ms

  test.each([
    ['at once', {}, after(0), null],
    ['on the thirtieth day', {}, after(30), null],
    ['a moment later', {}, after(30, 1), 'Reset more than 30 days ago.'],
    ['of an undo', { kind: 'undo' as const }, after(1), 'Only a reset can be undone.'],
    ['once more', { undone_by: 'Ada' }, after(1), 'Already undone by Ada.'],
    [
      'of a purchase that is gone',
      { is_known: false },
      after(1),
      'The purchase is no longer in the connected Stripe account.',
    ],
    [
      'of a site that was purchased again',
      { is_sold_again: true },
      after(1),
      'The site was purchased again. Reset that purchase first.',
    ],
  ])('%s', (_, change, now, refusal) => {
    expect(undoRefusalOf({ ...reset, ...change }, now)).toBe(refusal)
  })

  test('is possible for thirty days', () => {
    expect(undoableUntil(reset.at)).toBe('2026-12-01T12:00:00.000Z')
  })
})
