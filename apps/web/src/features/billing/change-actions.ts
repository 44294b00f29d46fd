import type { Subscription } from '@agency/contract/types'
import type { Action } from '../../ui/action.ts'
import type { Act } from './billing-act.ts'

type Options = {
  /** Why the actor may not move money, or undefined. */
  denial: string | undefined
  onAct: (act: Act) => void
}

/** Other changes of a subscription than to end it. What would take a state back stands where the state is. */
export function changeActions(row: Subscription, { denial, onAct }: Options): Action[] {
  const { pause_collection: paused } = row
  return [
    {
      label: 'Change Plan',
      disabledReason: denial ?? planBlock(row),
      onSelect: () => onAct({ kind: 'change-plan', subscription: row }),
    },
    paused
      ? {
          label: 'Resume Collection',
          disabledReason: denial ?? endedBlock(row),
          onSelect: () => onAct({ kind: 'resume', subscription: row }),
        }
      : {
          label: 'Pause Collection',
          disabledReason: denial ?? pauseBlock(row),
          onSelect: () => onAct({ kind: 'pause', subscription: row }),
        },
    ...(scheduledEnd(row)
      ? [
          {
            label: 'Undo Cancellation',
            disabledReason: denial,
            onSelect: () => onAct({ kind: 'undo-cancel', subscription: row }),
          },
        ]
      : []),
  ]
}

type Ending = Pick<Subscription, 'status' | 'cancel_at' | 'cancel_at_period_end' | 'current_period_end'>

/** When a live subscription is going to end, where that is settled. */
export function scheduledEnd({ status, cancel_at, cancel_at_period_end, current_period_end }: Ending): string | null {
  if (status === 'cancelled') return null
  return cancel_at ?? (cancel_at_period_end ? current_period_end : null)
}

const endedBlock = ({ status }: Subscription): string | undefined =>
  status === 'cancelled' ? 'Already cancelled' : undefined

const standsStill: Partial<Record<Subscription['status'], string>> = {
  incomplete: 'Waiting for the first payment',
  paused: 'Paused by Stripe: trial ended without a payment method',
}

const pauseBlock = (row: Subscription): string | undefined => endedBlock(row) ?? standsStill[row.status]

function planBlock(row: Subscription): string | undefined {
  if (row.status === 'unpaid') return 'Unpaid invoices'
  if (scheduledEnd(row)) return 'Set to end: undo the cancellation first'
  if (row.pause_collection) return 'Collection is paused: resume first'
  return pauseBlock(row)
}
