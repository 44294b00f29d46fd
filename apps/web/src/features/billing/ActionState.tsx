import type { MoneyAction } from '@agency/contract/descriptors'
import { useState } from 'react'
import { useDenial } from '../../lib/session.ts'
import { Button } from '../../ui/Button.tsx'
import { StatusChip } from '../../ui/StatusChip.tsx'
import { actionStates } from './provider-words.ts'
import { SettleActionDialog } from './SettleActionDialog.tsx'

/** How far an action is; one whose outcome is unknown can be settled from here. */
export function ActionState({ action }: { action: MoneyAction }) {
  const [isSettling, setSettling] = useState(false)
  const denial = useDenial('billing.write')
  return (
    <>
      <StatusChip {...actionStates[action.state]} title={action.error ?? undefined} />
      {action.state === 'unknown' && denial === undefined ? (
        <Button size="small" onClick={() => setSettling(true)}>
          Settle by hand
        </Button>
      ) : null}
      {isSettling ? <SettleActionDialog action={action} onClose={() => setSettling(false)} /> : null}
    </>
  )
}
