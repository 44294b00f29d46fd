import * as billingChanges from '@agency/contract/descriptors/billing-changes'
import type { Subscription } from '@agency/contract/types'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useWatch } from 'react-hook-form'
import { q } from '../../lib/api.ts'
import { type EditForm, useEditForm } from '../../lib/form/use-edit-form.ts'
import { useMoneyAction } from '../../lib/use-money-action.ts'
import { DayInput } from '../../ui/form/DayInput.tsx'
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
                <bdi>{subject}</bdi> continues without collecting payments.
              </>,
              meaningOf(fields.behavior),
              ...reachLines(reach),
            ]
          : []
      }
      confirmLabel="Pause collection"
      cancelLabel="Don't pause"
      onConfirm={handleConfirm}
      onClose={onClose}
    >
      <PauseInputs form={form} until={fields.until} />
    </ChangeDialog>
  )
}

const howLong = [
  { value: 'open', label: 'Until resumed by hand' },
  { value: 'date', label: 'Until a date' },
]

function PauseInputs({ form, until }: { form: EditForm<PauseFields>; until: PauseFields['until'] }) {
  return (
    <>
      <RadioInput form={form} name="behavior" label="Invoices during the pause" choices={pauseBehaviors} />
      <RadioInput form={form} name="until" label="How long" choices={howLong} />
      {until === 'date' ? (
        <DayInput form={form} name="lastDay" label="Last day of the pause" help="Collection resumes after this day." />
      ) : null}
    </>
  )
}
