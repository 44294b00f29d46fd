import { day } from '../../world/periods.ts'
import type { World } from '../../world/world.ts'
import { makeRefund } from '../objects/payment.ts'
import type { Charge, Refund } from '../types.ts'

export type NewRefund = {
  charge: Charge
  amount: number
  reason: string | null
  metadata?: Record<string, string>
}

const pendingDays = 2

/** Moves money back. A pending refund counts as refunded at once and is given back if it fails. */
export async function refundCharge(world: World, input: NewRefund): Promise<Refund> {
  const { charge } = input
  const { refundOutcome } = charge.customer ? await world.priv('customer', charge.customer) : {}
  const status = refundOutcome === 'requires_action' ? 'requires_action' : refundOutcome ? 'pending' : 'succeeded'
  const refund = makeRefund({
    id: world.newId('re'),
    created: world.now,
    charge,
    amount: input.amount,
    reason: input.reason,
    status,
    metadata: input.metadata ?? {},
  })
  world.insert('refund', refund, { event: 'refund.created' })
  await world.change(
    'charge',
    charge.id,
    (draft) => {
      draft.amount_refunded += input.amount
      draft.refunded = draft.amount_refunded >= draft.amount_captured
    },
    'charge.refunded',
  )
  if (refundOutcome && charge.customer) {
    const later = refundOutcome === 'failed' ? 'fail_refund' : 'succeed_refund'
    await world.setPriv('customer', charge.customer, { refundOutcome: undefined })
    world.schedule(later, refund.id, world.now + pendingDays * day)
  }
  return refund
}

export async function succeedRefund(world: World, id: string): Promise<void> {
  const refund = await world.get('refund', id)
  if (!refund || (refund.status !== 'pending' && refund.status !== 'requires_action')) return
  await world.change('refund', id, { status: 'succeeded' }, 'refund.updated')
}

/** The bank sends a refund back: the money is the agency's again, and the charge can be refunded anew. */
export async function failRefund(world: World, id: string, reason = 'expired_or_canceled_card'): Promise<void> {
  await undoRefund(world, id, 'failed', reason)
}

export async function cancelRefund(world: World, id: string): Promise<void> {
  await undoRefund(world, id, 'canceled', null)
}

async function undoRefund(world: World, id: string, status: string, reason: string | null): Promise<void> {
  const refund = await world.get('refund', id)
  if (!refund?.charge || refund.status === 'failed' || refund.status === 'canceled') return
  const undone = await world.change(
    'refund',
    id,
    (draft) => {
      draft.status = status
      if (reason) {
        draft.failure_reason = reason
        draft.failure_balance_transaction = `${draft.balance_transaction}_reversal`
      }
    },
    'refund.updated',
  )
  if (status === 'failed') world.emit('refund.failed', 'refund', undone)
  await world.change(
    'charge',
    refund.charge,
    (draft) => {
      draft.amount_refunded -= refund.amount
      draft.refunded = false
    },
    'charge.updated',
  )
}
