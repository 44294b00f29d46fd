import type { TransactionContext } from '../../../context.ts'
import { notify } from '../../notifications/index.ts'
import type { ActionRow } from '../queries/money-actions.ts'
import { wordsOf } from './kinds.ts'
import { nameOf } from './sentences.ts'

type Outcome = { failure: string } | { status: string }

function titleOf(action: ActionRow, outcome: Outcome): string {
  const name = nameOf(action)
  if ('failure' in outcome) return `The ${name} failed`
  const isOnItsWay = outcome.status === 'pending' || outcome.status === 'requires_action'
  return isOnItsWay ? `Stripe accepted the ${name}, still pending` : `The ${name} succeeded`
}

/** Whoever started it was answered at once; only what the job finds out later is news. */
export async function tellOutcome(tx: TransactionContext, action: ActionRow, outcome: Outcome): Promise<void> {
  if (tx.actor.type !== 'job') return
  const hasFailed = 'failure' in outcome
  const type = hasFailed ? 'money_action.failed' : 'money_action.done'
  await notify(tx, {
    dedupeKey: `${type}:${action.id}`,
    type,
    severity: hasFailed ? 'error' : 'success',
    permission: 'billing.read',
    title: titleOf(action, outcome),
    body: hasFailed ? outcome.failure : `Started by ${action.actor_name}; confirmed after the answer was lost.`,
    link: wordsOf(action).link(action),
  })
}
