import * as billingChanges from '@agency/contract/descriptors/billing-changes'
import type { PauseBehavior, Subscription } from '@agency/contract/types'
import FormControlLabel from '@mui/material/FormControlLabel'
import Radio from '@mui/material/Radio'
import RadioGroup from '@mui/material/RadioGroup'
import TextField from '@mui/material/TextField'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { q } from '../../lib/api.ts'
import { useMoneyAction } from '../../lib/use-money-action.ts'
import { useToast } from '../../ui/Toast.tsx'
import { ChangeDialog } from './ChangeDialog.tsx'
import { subjectOf } from './cancel-words.tsx'
import { meaningOf, type PauseDraft, pauseBehaviors, readPauseDraft } from './pause-draft.ts'
import { reachLines } from './reach-words.tsx'

type Props = { subscription: Subscription; onClose: () => void }

export function PauseSubscriptionDialog({ subscription, onClose }: Props) {
  const { id } = subscription
  const [draft, setDraft] = useState<PauseDraft>({ behavior: 'void', dated: false, lastDay: '' })
  const [tried, setTried] = useState(false)
  const terms = readPauseDraft(draft, Date.now())
  const resumesAt = terms.ok ? terms.resumesAt : null
  const preview = useQuery({
    ...q(billingChanges.previewSubscriptionChange, {
      params: { id },
      query: { action: 'pause', behavior: draft.behavior, resumes_at: resumesAt ?? undefined },
    }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
  const { outcome, run } = useMoneyAction(billingChanges.pauseSubscription, id)
  const toast = useToast()
  const subject = subjectOf(subscription)
  const reach = preview.data?.reach

  const handleConfirm = () => {
    setTried(true)
    if (!terms.ok) return
    void run({ params: { id }, body: { behavior: draft.behavior, resumes_at: resumesAt } }, () => {
      toast.success(`Paused collection of ${subject}`)
      onClose()
    })
  }

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
              meaningOf(draft.behavior),
              ...reachLines(reach),
            ]
          : []
      }
      confirmLabel="Pause collection"
      cancelLabel="Keep collecting"
      onConfirm={handleConfirm}
      onClose={onClose}
    >
      <PauseFields
        draft={draft}
        disabled={outcome.phase === 'sending'}
        problem={terms.ok || !tried ? undefined : terms.message}
        onChange={(change) => setDraft((now) => ({ ...now, ...change }))}
      />
    </ChangeDialog>
  )
}

type FieldsProps = {
  draft: PauseDraft
  disabled: boolean
  problem: string | undefined
  onChange: (change: Partial<PauseDraft>) => void
}

function PauseFields({ draft, disabled, problem, onChange }: FieldsProps) {
  return (
    <>
      <RadioGroup
        aria-label="Invoices of the pause"
        value={draft.behavior}
        onChange={(_, behavior) => onChange({ behavior: behavior as PauseBehavior })}
      >
        {pauseBehaviors.map(({ value, label }) => (
          <FormControlLabel
            key={value}
            value={value}
            disabled={disabled}
            control={<Radio size="small" />}
            label={label}
          />
        ))}
      </RadioGroup>
      <RadioGroup
        aria-label="How long"
        value={draft.dated ? 'date' : 'open'}
        onChange={(_, value) => onChange({ dated: value === 'date' })}
      >
        <FormControlLabel
          value="open"
          disabled={disabled}
          control={<Radio size="small" />}
          label="Until somebody resumes it"
        />
        <FormControlLabel value="date" disabled={disabled} control={<Radio size="small" />} label="Until a date" />
      </RadioGroup>
      {draft.dated ? (
        <TextField
          label="Last day of the pause"
          type="date"
          value={draft.lastDay}
          disabled={disabled}
          error={problem !== undefined}
          helperText={problem ?? 'Collection goes on by itself when this day is over.'}
          onChange={(event) => onChange({ lastDay: event.target.value })}
          slotProps={{ htmlInput: { max: '2099-12-31' }, inputLabel: { shrink: true } }}
        />
      ) : null}
    </>
  )
}
