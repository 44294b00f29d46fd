import { expect, test } from 'vitest'
import type { ActionRow } from '../queries/money-actions.ts'
import { amountToRefund, type RefundablePayment } from './refund-rules.ts'
import { agoText } from './sentences.ts'

const nowMs = Date.parse('2026-03-01T12:00:00Z')

const paid = (change: Partial<RefundablePayment> = {}): RefundablePayment => ({
  status: 'succeeded',
  currency: 'usd',
  amount_captured: 1000,
  amount_refunded: 0,
  amount_lost: 0,
  dispute_status: null,
  ...change,
})

const claim = (amount: number, state = 'started'): ActionRow =>
  ({
    kind: 'refund',
    actor_name: 'Ada',
    amount,
    currency: 'usd',
    state,
    created_at: new Date(nowMs - 90_000),
  }) as ActionRow

const take = (asked: number | undefined, payment: RefundablePayment, claims: ActionRow[] = []): number =>
  amountToRefund(asked, { payment, claims, lastDone: undefined, nowMs })

test.each([
  ['all of it', undefined, paid(), [], 1000],
  ['what earlier refunds left', undefined, paid({ amount_refunded: 300 }), [], 700],
  ['what a lost dispute left', undefined, paid({ amount_lost: 400, dispute_status: 'lost' }), [], 600],
  ['the amount asked for', 1, paid(), [], 1],
  ['exactly the rest', 700, paid({ amount_refunded: 300 }), [], 700],
  ['what open refunds leave', 400, paid(), [claim(600)], 400],
  ['although an inquiry is open', undefined, paid({ dispute_status: 'warning_needs_response' }), [], 1000],
  ['although a dispute was won', undefined, paid({ dispute_status: 'won' }), [], 1000],
  ['what was captured of more', undefined, paid({ amount_captured: 250 }), [], 250],
])('refunds %s', (_, asked, payment, claims, expected) => {
  expect(take(asked, payment, claims)).toBe(expected)
})

const started = 'Ada started a refund of $6.00 90 seconds ago'

test.each([
  ['nothing', 0, paid(), [], 'amount must be a whole number of minor units, more than 0'],
  ['a fraction', 1.5, paid(), [], 'amount must be a whole number of minor units, more than 0'],
  ['an amount that no number holds', 2 ** 53, paid(), [], 'amount must be a whole number of minor units, more than 0'],
  [
    'more than the rest',
    701,
    paid({ amount_refunded: 300 }),
    [],
    'amount of $7.01 is more than the $7.00 that can be refunded',
  ],
  [
    'more than open refunds leave',
    401,
    paid(),
    [claim(600)],
    `amount of $4.01 is more than the $4.00 that can be refunded: ${started}; still running`,
  ],
  [
    'a rest that is not known yet',
    undefined,
    paid(),
    [claim(600, 'unknown')],
    `${started}; outcome unknown. Wait for the outcome first.`,
  ],
  [
    'what an open refund takes',
    1,
    paid({ amount_refunded: 400 }),
    [claim(600)],
    `${started}; still running. Wait for the outcome first.`,
  ],
  [
    'what is gone',
    1,
    paid({ status: 'refunded', amount_refunded: 1000 }),
    [],
    'This payment was already refunded in full',
  ],
  [
    'what a dispute took',
    1,
    paid({ amount_lost: 1000, dispute_status: 'lost' }),
    [],
    'Lost in a dispute: nothing left to refund',
  ],
  [
    'during a dispute',
    1,
    paid({ dispute_status: 'under_review' }),
    [],
    'This payment is disputed: no refund while the bank decides',
  ],
  [
    'what is not captured',
    1,
    paid({ status: 'pending', amount_captured: 0 }),
    [],
    'This payment is pending: refund after it succeeds',
  ],
])('refuses to refund %s', (_, asked, payment, claims, expected) => {
  expect(() => take(asked, payment, claims)).toThrow(expected)
})

test.each([
  [-5000, 'just now'],
  [9999, 'just now'],
  [10_000, '10 seconds ago'],
  [119_999, '119 seconds ago'],
  [120_000, '2 minutes ago'],
  [7_199_999, '119 minutes ago'],
  [7_200_000, '2 hours ago'],
  [172_800_000, '2 days ago'],
])('says how long ago %i ms are', (ms, expected) => {
  expect(agoText(new Date(nowMs - ms), nowMs)).toBe(expected)
})
