import { day } from '../../world/periods.ts'
import type { World } from '../../world/world.ts'
import { disputeTransaction } from '../objects/balance-transaction.ts'
import { makeDispute } from '../objects/dispute.ts'
import type { Charge, Dispute } from '../types.ts'

const evidenceDays = 14

export async function openDispute(
  world: World,
  charge: Charge,
  reason = 'fraudulent',
  amount = charge.amount - charge.amount_refunded,
): Promise<Dispute> {
  const dispute = makeDispute({
    id: world.newId('dp'),
    created: world.now,
    charge,
    amount,
    reason,
    dueBy: world.now + evidenceDays * day,
  })
  world.insert('dispute', dispute, { event: 'charge.dispute.created' })
  await world.change('charge', charge.id, { disputed: true }, 'charge.updated')
  world.emit('charge.dispute.funds_withdrawn', 'dispute', dispute)
  world.schedule('lose_dispute', dispute.id, world.now + evidenceDays * day)
  return dispute
}

export async function submitEvidence(world: World, id: string): Promise<Dispute> {
  return await world.change(
    'dispute',
    id,
    (draft) => {
      draft.status = 'under_review'
      draft.evidence_details.has_evidence = true
      draft.evidence_details.submission_count += 1
      draft.evidence_details.submission_method = 'manual'
    },
    'charge.dispute.updated',
  )
}

export async function closeDispute(world: World, id: string, outcome: 'won' | 'lost'): Promise<Dispute> {
  const dispute = await world.need('dispute', id)
  if (dispute.status === 'won' || dispute.status === 'lost') return dispute
  world.unschedule('lose_dispute', id)
  const closed = await world.change(
    'dispute',
    id,
    (draft) => {
      draft.status = outcome
      if (outcome === 'won')
        draft.balance_transactions.push(disputeTransaction(draft, { won: true, created: world.now }))
      draft.evidence_details.past_due = outcome === 'lost' && !draft.evidence_details.has_evidence
    },
    'charge.dispute.closed',
  )
  if (outcome === 'won') world.emit('charge.dispute.funds_reinstated', 'dispute', closed)
  return closed
}
