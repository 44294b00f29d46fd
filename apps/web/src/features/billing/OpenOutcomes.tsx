import type { MoneyAction } from '@agency/contract/types'
import { formatMoney } from '../../lib/format.ts'
import { Notice } from './Notice.tsx'
import { actionKinds } from './provider-words.ts'
import { SettleButton } from './SettleButton.tsx'

function nameOf({ kind, amount, currency }: MoneyAction): string {
  const name = actionKinds[kind]
  return amount === null || currency === null ? name : `${name} of ${formatMoney(amount, currency)}`
}

/** What keeps the rest from being changed until it is known whether it happened. */
export function OpenOutcomes({ actions }: { actions: readonly MoneyAction[] }) {
  return actions
    .filter(({ state }) => state === 'unknown')
    .map((action) => (
      <Notice key={action.id} action={<SettleButton action={action} />}>
        {nameOf(action)}: outcome unknown. The console keeps asking Stripe.
      </Notice>
    ))
}
