import * as billingChanges from '@agency/contract/descriptors/billing-changes'
import type { BillingChoice, SuspensionReason } from '@agency/contract/types'
import Checkbox from '@mui/material/Checkbox'
import FormControlLabel from '@mui/material/FormControlLabel'
import FormLabel from '@mui/material/FormLabel'
import Radio from '@mui/material/Radio'
import RadioGroup from '@mui/material/RadioGroup'
import { useId } from 'react'
import { useDenial } from '../../../lib/session.ts'
import { InputField } from '../../../ui/InputField.tsx'
import css from './lifecycle.module.css'
import { billingChoices, suspensionReasons } from './lifecycle-words.ts'
import type { SuspensionChoice } from './suspension-choice.ts'

const maxNote = 500

type Props = {
  choice: SuspensionChoice
  disabled: boolean
  /** Whom the mail goes to: "the customer". */
  mailTo: string
  onChange: (choice: SuspensionChoice) => void
}

/** Why an account is suspended, what becomes of its bills, and whether it is told. */
export function SuspensionFields({ choice, disabled, mailTo, onChange }: Props) {
  const { reason, note, billing, notice } = choice
  const billingDenial = useDenial(billingChanges.pauseSubscription)
  const change = (part: Partial<SuspensionChoice>) => onChange({ ...choice, ...part })
  return (
    <>
      <Choice
        legend="Reason"
        value={reason}
        choices={suspensionReasons}
        columns={2}
        disabled={disabled}
        onChange={(value) => change({ reason: value as SuspensionReason })}
      />
      <InputField
        label={reason === 'other' ? 'Note' : 'Note (optional)'}
        value={note}
        onChange={(value) => change({ note: value })}
        disabled={disabled}
        help="Only for administrators"
        inputProps={{ maxLength: maxNote }}
      />
      <Choice
        legend="Billing"
        value={billing}
        choices={billingChoices}
        disabled={disabled}
        blocked={(value) => (value === 'keep' ? undefined : billingDenial)}
        onChange={(value) => change({ billing: value as BillingChoice })}
      />
      <FormControlLabel
        control={
          <Checkbox checked={notice} onChange={(_, checked) => change({ notice: checked })} disabled={disabled} />
        }
        label={`Email ${mailTo}`}
      />
    </>
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
