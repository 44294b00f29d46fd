import * as billingChanges from '@agency/contract/descriptors/billing-changes'
import type { MoneyAction } from '@agency/contract/types'
import { useState } from 'react'
import { useDenial } from '../../lib/session.ts'
import { ReasonedButton } from '../../ui/ReasonedButton.tsx'
import { SettleActionDialog } from './SettleActionDialog.tsx'

/** Settles an action whose outcome is unknown, by what Stripe shows of it. */
export function SettleButton({ action }: { action: MoneyAction }) {
  const [isSettling, setSettling] = useState(false)
  const denial = useDenial(billingChanges.settleAction)
  return (
    <>
      <ReasonedButton size="small" variant="outlined" blocked={denial} onClick={() => setSettling(true)}>
        Settle by hand
      </ReasonedButton>
      {isSettling ? <SettleActionDialog action={action} onClose={() => setSettling(false)} /> : null}
    </>
  )
}
