import type { TransactionContext } from '../../context.ts'
import { UnreadableObject } from '../../integrations/stripe/fields.ts'
import type { ProviderObject } from '../../integrations/stripe/gateway.ts'
import { toRefund } from '../../integrations/stripe/mapping/catalogue.ts'
import { toDispute } from '../../integrations/stripe/mapping/dispute.ts'
import { toLonePayment, toPayment } from '../../integrations/stripe/mapping/payment.ts'
import { tellPaid } from '../customer-states/index.ts'
import { notifyDisputeOpened, notifyPaymentFailed, notifyRefundFailed } from '../notifications/index.ts'
import type { Fetched } from './fetch.ts'
import { findCustomerName, findCustomerOfPayment } from './queries/news.ts'

type Tx = Pick<TransactionContext, 'db' | 'clock' | 'jobs'>

const dayMs = 86_400_000
/** What an event of long ago tells is history, not news. */
const paymentNewsMs = 3 * dayMs
const disputeNewsMs = 30 * dayMs
/** A bank may refuse a refund weeks after it was made. */
const refundNewsMs = 60 * dayMs

const isRecent = (tx: Tx, createdAt: string, withinMs: number): boolean => tx.clock() - Date.parse(createdAt) < withinMs

async function tellPayment(tx: Tx, object: ProviderObject): Promise<void> {
  const payment = object.object === 'charge' ? toLonePayment(object) : toPayment(object)
  if (!payment.counts_as_failed || !isRecent(tx, payment.created_at, paymentNewsMs)) return
  await notifyPaymentFailed(tx, {
    id: payment.id,
    amount: payment.amount,
    currency: payment.currency,
    customerId: payment.customer_id,
    customerName: await findCustomerName(tx.db, payment.customer_id),
    reason: payment.failure_message,
  })
}

async function tellDispute(tx: Tx, object: ProviderObject): Promise<void> {
  const dispute = toDispute(object)
  if (!isRecent(tx, dispute.created_at, disputeNewsMs)) return
  const customer = await findCustomerOfPayment(tx.db, dispute.payment_id)
  await notifyDisputeOpened(tx, {
    id: dispute.id,
    paymentId: dispute.payment_id,
    amount: dispute.amount,
    currency: dispute.currency,
    customerId: customer,
    customerName: await findCustomerName(tx.db, customer),
    reason: dispute.reason,
    evidenceDueAt: dispute.evidence_due_at === null ? null : new Date(dispute.evidence_due_at),
  })
}

async function tellRefund(tx: Tx, object: ProviderObject): Promise<void> {
  const refund = toRefund(object)
  if (refund.status !== 'failed' || !isRecent(tx, refund.created_at, refundNewsMs)) return
  const customer = await findCustomerOfPayment(tx.db, refund.payment_id)
  await notifyRefundFailed(tx, {
    id: refund.id,
    paymentId: refund.payment_id,
    amount: refund.amount,
    currency: refund.currency,
    customerId: customer,
    customerName: await findCustomerName(tx.db, customer),
    reason: refund.failure_reason,
  })
}

/** Tells the administrators what somebody has to look at; each thing once. */
export async function tellNews(tx: Tx, fetched: readonly Fetched[]): Promise<void> {
  for (const { kind, objects } of fetched) {
    if (kind === 'invoice') await tellPaid(tx, objects)
    for (const object of objects) await tellOf(tx, kind, object)
  }
}

async function tellOf(tx: Tx, kind: Fetched['kind'], object: ProviderObject): Promise<void> {
  try {
    if (kind === 'payment' || (kind === 'charge' && !object['payment_intent'])) await tellPayment(tx, object)
    else if (kind === 'dispute') await tellDispute(tx, object)
    else if (kind === 'refund') await tellRefund(tx, object)
  } catch (error) {
    // That it cannot be read was told when it was written down.
    if (!(error instanceof UnreadableObject)) throw error
  }
}
