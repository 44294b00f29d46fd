import type { TransactionContext } from '../../context.ts'
import { declineText } from '../../integrations/stripe/decline-text.ts'
import { counted } from '../../platform/counted.ts'
import { shortDayText } from '../../platform/day-text.ts'
import { moneyText } from '../../platform/money-text.ts'
import { notify } from './notify.ts'

type Tx = Pick<TransactionContext, 'db' | 'clock' | 'jobs'>

export function notifyPaymentFailed(
  tx: Tx,
  payment: {
    id: string
    amount: number
    currency: string
    customerId: string | null
    customerName: string | null
    reason: string | null
  },
): Promise<boolean> {
  const amount = moneyText(payment.amount, payment.currency)
  return notify(tx, {
    customerIds: [payment.customerId],
    dedupeKey: `payment.failed:${payment.id}`,
    type: 'payment.failed',
    severity: 'warning',
    permission: 'billing.read',
    title: payment.customerName
      ? `Payment of ${amount} by ${payment.customerName} failed`
      : `Payment of ${amount} failed`,
    body: payment.reason && declineText(payment.reason),
    link: `/admin/payments?open=${encodeURIComponent(payment.id)}`,
  })
}

export function notifyDisputeOpened(
  tx: Tx,
  dispute: {
    id: string
    paymentId: string | null
    amount: number
    currency: string
    customerId: string | null
    customerName: string | null
    reason: string
    evidenceDueAt: Date | null
  },
): Promise<boolean> {
  const amount = moneyText(dispute.amount, dispute.currency)
  const reason = `Reason: ${dispute.reason.replaceAll('_', ' ')}.`
  return notify(tx, {
    customerIds: [dispute.customerId],
    dedupeKey: `dispute.opened:${dispute.id}`,
    type: 'dispute.opened',
    severity: 'error',
    permission: 'billing.read',
    title: dispute.customerName ? `${dispute.customerName} disputes ${amount}` : `A payment of ${amount} is disputed`,
    body: dispute.evidenceDueAt ? `${reason} Evidence is due by ${shortDayText(dispute.evidenceDueAt)}.` : reason,
    link: dispute.paymentId && `/admin/payments?open=${encodeURIComponent(dispute.paymentId)}`,
  })
}

export function notifyRefundFailed(
  tx: Tx,
  refund: {
    id: string
    paymentId: string | null
    amount: number
    currency: string
    customerId: string | null
    customerName: string | null
    reason: string | null
  },
): Promise<boolean> {
  const whose = refund.customerName ? ` to ${refund.customerName}` : ''
  const why = refund.reason ? `Reason from Stripe: ${refund.reason.replaceAll('_', ' ')}. ` : ''
  return notify(tx, {
    customerIds: [refund.customerId],
    dedupeKey: `refund.failed:${refund.id}`,
    type: 'refund.failed',
    severity: 'error',
    permission: 'billing.read',
    title: `The refund of ${moneyText(refund.amount, refund.currency)}${whose} failed`,
    body: `${why}The money is back in your Stripe balance. Pay the customer another way.`,
    link: refund.paymentId && `/admin/payments?open=${encodeURIComponent(refund.paymentId)}`,
  })
}

export function notifyImportFinished(tx: Tx, done: { id: string; objects: number }): Promise<boolean> {
  return notify(tx, {
    dedupeKey: `import.finished:${done.id}`,
    type: 'import.finished',
    severity: 'success',
    permission: 'billing.read',
    title: 'Imported everything from Stripe',
    body: `${counted(done.objects, 'record')} imported. Changes now arrive automatically.`,
    link: '/admin/health',
  })
}

export function notifyImportFailed(tx: Tx, failed: { id: string; error: string }): Promise<boolean> {
  return notify(tx, {
    dedupeKey: `import.failed:${failed.id}`,
    type: 'import.failed',
    severity: 'error',
    permission: 'billing.read',
    title: 'The import from Stripe failed',
    body: failed.error,
    link: '/admin/health',
  })
}

export function notifyDeadEvent(tx: Tx, event: { id: string; type: string; error: string }): Promise<boolean> {
  return notify(tx, {
    dedupeKey: `event.dead:${event.id}`,
    type: 'event.dead',
    severity: 'error',
    permission: 'billing.read',
    title: `A Stripe change could not be applied (${event.type})`,
    body: `${event.error} Retry under System Health.`,
    link: '/admin/health',
  })
}

/** One for each kind of object and day, however many come. */
export function notifyUnreadable(tx: Tx, found: { kind: string; id: string; missing: string }): Promise<boolean> {
  return notify(tx, {
    dedupeKey: `object.unreadable:${found.kind}:${new Date(tx.clock()).toISOString().slice(0, 10)}`,
    type: 'object.unreadable',
    severity: 'warning',
    permission: 'billing.read',
    title: `Unreadable Stripe record: ${found.kind.replaceAll('_', ' ')}`,
    body: `Stripe sent ${found.id} without ${found.missing}. The record is hidden until it is complete; check it at Stripe.`,
    link: '/admin/health',
  })
}

/** Once a day: every delivery of the wrong endpoint says it again. */
export function notifyOtherMode(tx: Tx, { isLive }: { isLive: boolean }): Promise<boolean> {
  const [ours, theirs] = isLive ? ['live', 'test'] : ['test', 'live']
  return notify(tx, {
    dedupeKey: `webhook.other_mode:${new Date(tx.clock()).toISOString().slice(0, 10)}`,
    type: 'webhook.other_mode',
    severity: 'warning',
    permission: 'billing.read',
    title: `Stripe sends ${theirs} events to this ${ours} console`,
    body: `They are ignored. Point the ${ours}-mode webhook endpoint here, or use the ${theirs} key.`,
    link: '/admin/health',
  })
}

export function notifyDrift(tx: Tx, report: { id: string; differed: number; repaired: number }): Promise<boolean> {
  const left = report.differed - report.repaired
  const was = report.differed === 1 ? 'was' : 'were'
  return notify(tx, {
    dedupeKey: `mirror.drift:${report.id}`,
    type: 'mirror.drift',
    severity: left === 0 ? 'info' : 'warning',
    permission: 'billing.read',
    title: `${counted(report.differed, 'Stripe record')} ${was} out of date`,
    body: left === 0 ? 'Fixed automatically.' : `${left.toLocaleString('en-US')} could not be fixed.`,
    link: '/admin/health',
  })
}

/** One for an address and a day, however often it is locked. */
export function notifyLockOut(
  tx: Tx,
  lock: { address: string; failures: number; lockedUntil: Date },
): Promise<boolean> {
  return notify(tx, {
    dedupeKey: `address.locked:${lock.address}:${new Date(tx.clock()).toISOString().slice(0, 10)}`,
    type: 'address.locked',
    severity: 'warning',
    permission: 'admin.system',
    title: `Wrong admin keys from ${lock.address}`,
    body: `${counted(lock.failures, 'wrong key')} in a row; sign-in from there is locked for now.`,
    link: '/admin/security',
  })
}

export function notifyFall(tx: Tx): Promise<boolean> {
  const at = new Date(tx.clock()).toISOString()
  return notify(tx, {
    dedupeKey: `console.fell:${at}`,
    type: 'console.fell',
    severity: 'error',
    permission: 'admin.system',
    title: 'The console stopped unexpectedly and was restarted',
    body: 'Running work continues. See the server log (level fatal).',
    link: '/admin/health',
  })
}
