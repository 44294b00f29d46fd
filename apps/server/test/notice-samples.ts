import type { TransactionContext } from '../src/context.ts'
import type * as causes from '../src/features/notifications/causes.ts'
import * as notices from '../src/features/notifications/index.ts'

const money = { amount: 7450, currency: 'usd', customerId: null, customerName: 'Castine Chandlery' }
const until = new Date('2026-12-10T23:59:59Z')

/** One of every notice that the bell and the channels share words for. */
export const noticeSamples: Record<keyof typeof causes, (tx: TransactionContext) => Promise<boolean>> = {
  notifyPaymentFailed: (tx) =>
    notices.notifyPaymentFailed(tx, { ...money, id: 'pi_1', reason: 'Your card has insufficient funds.' }),
  notifyDisputeOpened: (tx) =>
    notices.notifyDisputeOpened(tx, {
      ...{ ...money, id: 'dp_1', paymentId: 'pi_1', reason: 'product_not_received', evidenceDueAt: until },
    }),
  notifyRefundFailed: (tx) =>
    notices.notifyRefundFailed(tx, { ...money, id: 're_1', paymentId: 'pi_1', reason: 'expired_or_canceled_card' }),
  notifyImportFinished: (tx) => notices.notifyImportFinished(tx, { id: 'imp_1', objects: 4321 }),
  notifyImportFailed: (tx) => notices.notifyImportFailed(tx, { id: 'imp_2', error: 'Stripe did not answer.' }),
  notifyDeadEvent: (tx) =>
    notices.notifyDeadEvent(tx, { id: 'evt_1', type: 'invoice.paid', error: 'Stripe did not answer.' }),
  notifyUnreadable: (tx) => notices.notifyUnreadable(tx, { kind: 'payment_intent', id: 'pi_2', missing: 'a currency' }),
  notifyOtherMode: (tx) => notices.notifyOtherMode(tx, { isLive: true }),
  notifyDrift: (tx) => notices.notifyDrift(tx, { id: 'rec_1', differed: 3, repaired: 2 }),
  notifyLockOut: (tx) => notices.notifyLockOut(tx, { address: '203.0.113.9', failures: 5, lockedUntil: until }),
  notifyFall: (tx) => notices.notifyFall(tx),
}
