import type { MoneyAction } from '@agency/contract/types'
import { StatusChip } from '../../ui/StatusChip.tsx'
import { actionStates } from './provider-words.ts'
import { SettleButton } from './SettleButton.tsx'

/** How far an action is; one whose outcome is unknown can be settled from here. */
export function ActionState({ action }: { action: MoneyAction }) {
  return (
    <>
      <StatusChip {...actionStates[action.state]} title={action.error ?? undefined} />
      {action.state === 'unknown' ? <SettleButton action={action} /> : null}
    </>
  )
}
