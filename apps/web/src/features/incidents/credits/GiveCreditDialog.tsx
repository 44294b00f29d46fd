import * as slaCredits from '@agency/contract/descriptors/sla-credits'
import type { Incident, SlaCredit } from '@agency/contract/types'
import { useQueryClient } from '@tanstack/react-query'
import { formatMoney } from '../../../lib/format.ts'
import { incidentName } from '../../../lib/incident-status.ts'
import { useMoneyAction } from '../../../lib/use-money-action.ts'
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx'
import { OutcomeDialog, UnknownOutcome } from '../../../ui/OutcomeDialog.tsx'
import { useToast } from '../../../ui/Toast.tsx'
import { creditsOf, oneIncident } from '../incidents-search.ts'
import { nameOf } from './credit-words.ts'

type Props = { incident: Incident; credit: SlaCredit; onClose: () => void }

/** Credits on one press; whatever becomes of the answer, never twice. */
export function GiveCreditDialog({ incident, credit, onClose }: Props) {
  const client = useQueryClient()
  const toast = useToast()
  const { outcome, run } = useMoneyAction(slaCredits.giveSlaCredit, credit.customer_id)
  const currency = credit.currency ?? 'usd'
  const amount = formatMoney(credit.amount, currency)
  const who = nameOf(credit)
  const title = `Credit ${amount}`
  const finish = () => {
    void client.invalidateQueries({ queryKey: creditsOf(incident.id).queryKey })
    void client.invalidateQueries({ queryKey: oneIncident(incident.id).queryKey })
    onClose()
  }
  const handleConfirm = () => {
    const body = { customer_id: credit.customer_id, amount: credit.amount, currency }
    void run({ params: { id: incident.id }, body }, () => {
      toast.success(`Credited ${amount} to ${who}`)
      finish()
    })
  }
  if (outcome.phase === 'unknown')
    return (
      <UnknownOutcome
        title={title}
        what={`${amount} was credited to ${who}`}
        where="the Credits tab of the incident"
        followFailed={outcome.followFailed}
        onClose={finish}
      />
    )
  if (outcome.phase === 'confirmed')
    return (
      <OutcomeDialog title={title} tone="success" onClose={finish}>
        {`Credited ${amount} to ${who}.`}
      </OutcomeDialog>
    )
  return (
    <ConfirmDialog
      title={title}
      consequences={[
        <bdi key="who">{who}</bdi>,
        'Reduces their next invoices. Nothing is refunded to a card.',
        `Stripe shows it as "SLA credit for incident ${incident.number}"; ${incidentName(incident.number)} can be credited to them only once.`,
      ]}
      confirmLabel={title}
      pending={outcome.phase === 'sending'}
      error={outcome.phase === 'open' ? outcome.error : null}
      onConfirm={handleConfirm}
      onClose={onClose}
    />
  )
}
