import * as billingChanges from '@agency/contract/descriptors/billing-changes'
import * as customerLifecycle from '@agency/contract/descriptors/customer-lifecycle'
import type { BillingChoice, SuspensionReason } from '@agency/contract/types'
import Checkbox from '@mui/material/Checkbox'
import FormControlLabel from '@mui/material/FormControlLabel'
import FormLabel from '@mui/material/FormLabel'
import Radio from '@mui/material/Radio'
import RadioGroup from '@mui/material/RadioGroup'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { q } from '../../../lib/api.ts'
import { useDenial } from '../../../lib/session.ts'
import { useCall } from '../../../lib/use-call.ts'
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx'
import { InputField } from '../../../ui/InputField.tsx'
import { useToast } from '../../../ui/Toast.tsx'
import type { DialogProps } from './acts.ts'
import css from './lifecycle.module.css'
import { lifecycleReads } from './lifecycle-reads.ts'
import { billingChoices, suspensionReasons } from './lifecycle-words.ts'
import { PreviewProblem, unknownReach } from './PreviewProblem.tsx'
import { reachOf } from './reach.tsx'

const maxNote = 500

export function SuspendDialog({ id, onStarted, onClose }: DialogProps) {
  const [reason, setReason] = useState<SuspensionReason>('non_payment')
  const [note, setNote] = useState('')
  const [billing, setBilling] = useState<BillingChoice>('keep')
  const [notice, setNotice] = useState(false)
  const billingDenial = useDenial(billingChanges.pauseSubscription)
  const query = { reason, billing, notice: notice ? ('true' as const) : ('false' as const) }
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...q(customerLifecycle.previewSuspension, { params: { id }, query }),
    staleTime: 0,
    placeholderData: keepPreviousData,
  })
  const preview = data?.preview
  const toast = useToast()
  const act = useCall(customerLifecycle.suspendCustomer, lifecycleReads, { isOneIntent: true })
  const handleDone = () => {
    toast.success(`Suspending ${preview?.typed_name ?? 'the account'}`)
    onStarted(id)
  }
  const needsNote = reason === 'other' && note.trim() === ''
  const blocked = preview ? (preview.blocked ?? undefined) : unknownReach
  return (
    <ConfirmDialog
      title={preview ? `Suspend Account: ${preview.typed_name}` : 'Suspend Account'}
      consequences={preview ? reachOf(preview) : []}
      confirmLabel="Suspend account"
      destructive
      pending={act.isPending}
      blockedReason={blocked ?? (isPlaceholderData ? unknownReach : needsNote ? 'Say why in the note' : undefined)}
      error={act.error}
      onConfirm={() =>
        act.mutate(
          { params: { id }, body: { reason, note: note.trim() || null, billing, notice } },
          { onSuccess: handleDone },
        )
      }
      onClose={onClose}
    >
      <PreviewProblem error={error} ready={preview !== undefined} onRetry={() => void refetch()} />
      <Choice
        legend="Reason"
        value={reason}
        choices={suspensionReasons}
        columns={2}
        disabled={act.isPending}
        onChange={(value) => setReason(value as SuspensionReason)}
      />
      <InputField
        label={reason === 'other' ? 'Note' : 'Note (optional)'}
        value={note}
        onChange={setNote}
        disabled={act.isPending}
        help="For the administrators; the customer does not see it"
        inputProps={{ maxLength: maxNote }}
      />
      <Choice
        legend="Billing"
        value={billing}
        choices={billingChoices}
        disabled={act.isPending}
        blocked={(value) => (value === 'keep' ? undefined : billingDenial)}
        onChange={(value) => setBilling(value as BillingChoice)}
      />
      <FormControlLabel
        control={<Checkbox checked={notice} onChange={(_, checked) => setNotice(checked)} disabled={act.isPending} />}
        label="Write a notice to the customer"
      />
    </ConfirmDialog>
  )
}

type ChoiceProps = {
  legend: string
  value: string
  choices: Readonly<Record<string, string>>
  disabled: boolean
  columns?: 1 | 2
  /** Why one of them cannot be chosen. */
  blocked?: (value: string) => string | undefined
  onChange: (value: string) => void
}

function Choice({ legend, value, choices, disabled, columns = 1, blocked, onChange }: ChoiceProps) {
  const id = useId()
  return (
    <div>
      <FormLabel id={id}>{legend}</FormLabel>
      <RadioGroup
        aria-labelledby={id}
        value={value}
        className={css[columns === 2 ? 'reasons' : 'choices']}
        onChange={(_, next) => onChange(next)}
      >
        {Object.entries(choices).map(([choice, label]) => {
          const why = blocked?.(choice)
          return (
            <FormControlLabel
              key={choice}
              value={choice}
              disabled={disabled || why !== undefined}
              title={why}
              control={<Radio size="small" sx={{ py: 0.5 }} />}
              label={why === undefined ? label : `${label} (${why})`}
            />
          )
        })}
      </RadioGroup>
    </div>
  )
}
