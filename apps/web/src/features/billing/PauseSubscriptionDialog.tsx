import * as billingChanges from '@agency/contract/descriptors/billing-changes'
import type { Subscription } from '@agency/contract/types'
import TextField from '@mui/material/TextField'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useWatch } from 'react-hook-form'
import { q } from '../../lib/api.ts'
import { type EditForm, useEditForm } from '../../lib/form/use-edit-form.ts'
import { useField } from '../../lib/form/use-field.ts'
import { useMoneyAction } from '../../lib/use-money-action.ts'
import { RadioInput } from '../../ui/form/RadioInput.tsx'
import { useToast } from '../../ui/Toast.tsx'
import { ChangeDialog } from './ChangeDialog.tsx'
import { subjectOf } from './cancel-words.tsx'
import { meaningOf, type PauseFields, pauseBehaviors, readPauseTerms } from './pause-terms.ts'
import { reachLines } from './reach-words.tsx'

type Props = { subscription: Subscription; onClose: () => void }

export function PauseSubscriptionDialog({ subscription, onClose }: Props) {
  const { id } = subscription
  const { outcome, run } = useMoneyAction(billingChanges.pauseSubscription, id)
  const form = useEditForm<PauseFields>({
    values: { behavior: 'void', until: 'open', lastDay: '' },
    problemsOf: (typed) => {
      const read = readPauseTerms(typed, Date.now())
      return read.ok ? {} : { lastDay: read.message }
    },
    call: { isPending: outcome.phase === 'sending', error: null },
  })
  const fields = useWatch({ control: form.control }) as PauseFields
  const terms = readPauseTerms(fields, Date.now())
  const resumesAt = terms.ok ? terms.resumesAt : null
  const preview = useQuery({
    ...q(billingChanges.previewSubscriptionChange, {
      params: { id },
      query: { action: 'pause', behavior: fields.behavior, resumes_at: resumesAt ?? undefined },
    }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
  const toast = useToast()
  const subject = subjectOf(subscription)
  const reach = preview.data?.reach

  const handleConfirm = () =>
    form.submit(({ behavior }) => {
      void run({ params: { id }, body: { behavior, resumes_at: resumesAt } }, () => {
        toast.success(`Paused collection of ${subject}`)
        onClose()
      })
    })

  return (
    <ChangeDialog
      title="Pause collection"
      what={`collection of ${subject} was paused`}
      outcome={outcome}
      preview={preview}
      reach={reach}
      consequences={
        reach && !reach.refusal
          ? [
              <>
                <bdi>{subject}</bdi> goes on, and its invoices are not collected.
              </>,
              meaningOf(fields.behavior),
              ...reachLines(reach),
            ]
          : []
      }
      confirmLabel="Pause collection"
      cancelLabel="Keep collecting"
      onConfirm={handleConfirm}
      onClose={onClose}
    >
      <PauseInputs form={form} until={fields.until} />
    </ChangeDialog>
  )
}

const howLong = [
  { value: 'open', label: 'Until somebody resumes it' },
  { value: 'date', label: 'Until a date' },
]

function PauseInputs({ form, until }: { form: EditForm<PauseFields>; until: PauseFields['until'] }) {
  return (
    <>
      <RadioInput form={form} name="behavior" label="Invoices of the pause" choices={pauseBehaviors} />
      <RadioInput form={form} name="until" label="How long" choices={howLong} />
      {until === 'date' ? <LastDayInput form={form} /> : null}
    </>
  )
}

function LastDayInput({ form }: { form: EditForm<PauseFields> }) {
  const { value, onChange, problem, disabled } = useField(form, 'lastDay')
  return (
    <TextField
      label="Last day of the pause"
      type="date"
      value={value}
      disabled={disabled}
      error={problem !== undefined}
      helperText={problem ?? 'Collection goes on by itself when this day is over.'}
      onChange={(event) => onChange(event.target.value)}
      slotProps={{ htmlInput: { max: '2099-12-31' }, inputLabel: { shrink: true } }}
    />
  )
}
