import * as featureFlags from '@agency/contract/descriptors/feature-flags'
import type { FeatureFlag } from '@agency/contract/types'
import TextField from '@mui/material/TextField'
import { type EditForm, useEditForm } from '../../lib/form/use-edit-form.ts'
import { useField } from '../../lib/form/use-field.ts'
import { useCall } from '../../lib/use-call.ts'
import { Button } from '../../ui/Button.tsx'
import { EditFormDialog } from '../../ui/form/EditFormDialog.tsx'
import { SelectInput } from '../../ui/form/SelectInput.tsx'
import { SwitchInput } from '../../ui/form/SwitchInput.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { InputField } from '../../ui/InputField.tsx'
import { SelectField } from '../../ui/SelectField.tsx'
import { useToast } from '../../ui/Toast.tsx'
import { guardText, unitChoices } from './flag-words.ts'
import css from './flags.module.css'
import { flagReads } from './flags-list.ts'
import {
  newRollout,
  nextStep,
  type RolloutFields,
  rolloutProblems,
  rolloutTerms,
  type StepFields,
  waitUnits,
} from './rollout-fields.ts'

const serverFields = { starts_at: 'startsAt', rollout_by: 'by', needs_green: 'needsGreen' } as const
const doesChoices = [
  { value: 'on', label: 'On for' },
  { value: 'off', label: 'Switch off' },
]
const mostSteps = 20

/** Steps that the flag takes by itself. */
export function RolloutDialog({ flag, onClose }: { flag: FeatureFlag; onClose: () => void }) {
  const start = useCall(featureFlags.startFlagRollout, flagReads)
  const toast = useToast()
  const form = useEditForm<RolloutFields>({
    ...{ values: newRollout(flag), problemsOf: rolloutProblems, call: start, fields: serverFields },
  })
  const handleSubmit = (fields: RolloutFields) =>
    start.mutate(
      { params: { id: flag.id }, body: { version: flag.version, ...rolloutTerms(fields, flag.rollout_percentage) } },
      {
        onSuccess: () => {
          toast.success(`Started the rollout of ${flag.name}`)
          onClose()
        },
      },
    )
  return (
    <EditFormDialog
      title={`Roll out ${flag.name} in steps`}
      submitLabel="Start rollout"
      wide
      form={form}
      onSubmit={handleSubmit}
      onClose={onClose}
    >
      <div className={css['pair']}>
        <StartInput form={form} />
        <SelectInput form={form} name="by" label="Percentage of" choices={unitChoices} />
      </div>
      <StepsInput form={form} />
      <SwitchInput
        form={form}
        name="needsGreen"
        label="Wait for green checks"
        help="Each further step waits until no site that sees the flag has new trouble"
      />
      <p className={css['muted']}>Guard: {guardText(flag.guard)}</p>
    </EditFormDialog>
  )
}

function StartInput({ form }: { form: EditForm<RolloutFields> }) {
  const { value, onChange, problem, disabled } = useField(form, 'startsAt')
  return (
    <TextField
      label="First step"
      type="datetime-local"
      value={value}
      disabled={disabled}
      onChange={(event) => onChange(event.target.value)}
      error={problem !== undefined}
      helperText={problem ?? 'Empty: now'}
      slotProps={{ inputLabel: { shrink: true }, htmlInput: { max: '2099-12-31T23:59' } }}
    />
  )
}

function StepsInput({ form }: { form: EditForm<RolloutFields> }) {
  const { value: steps, onChange, problem, disabled } = useField(form, 'steps')
  const change = (index: number, step: Partial<StepFields>) =>
    onChange(steps.map((one, place) => (place === index ? { ...one, ...step } : one)))
  return (
    <fieldset className={css['fields']}>
      <legend>Steps</legend>
      <ol className={css['stepFields']}>
        {steps.map((step, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a step is its place
          <li key={index}>
            <StepInput
              {...{ step, index, disabled }}
              onChange={(changed) => change(index, changed)}
              onRemove={steps.length > 1 ? () => onChange(steps.filter((_, place) => place !== index)) : undefined}
            />
          </li>
        ))}
      </ol>
      {problem ? (
        <p role="alert" className={css['problem']}>
          {problem}
        </p>
      ) : null}
      <span>
        <Button
          size="small"
          startIcon={<Icon name="add" />}
          disabled={disabled || steps.length >= mostSteps}
          onClick={() => onChange([...steps, nextStep(steps)])}
        >
          Add step
        </Button>
      </span>
    </fieldset>
  )
}

type StepProps = {
  step: StepFields
  index: number
  disabled: boolean
  onChange: (step: Partial<StepFields>) => void
  onRemove: (() => void) | undefined
}

function StepInput({ step, index, disabled, onChange, onRemove }: StepProps) {
  const number = index + 1
  return (
    <div className={css['stepLine']}>
      {index === 0 ? (
        <span className={css['muted']}>First</span>
      ) : (
        <span className={css['wait']}>
          <InputField
            label={`Step ${number} waits`}
            value={step.wait}
            inputMode="numeric"
            disabled={disabled}
            onChange={(wait) => onChange({ wait })}
          />
          <SelectField
            label={`Step ${number} unit`}
            value={step.unit}
            choices={waitUnits}
            disabled={disabled}
            onChange={(unit) => onChange({ unit: unit as StepFields['unit'] })}
          />
        </span>
      )}
      <SelectField
        label={`Step ${number} does`}
        value={step.does}
        choices={doesChoices}
        disabled={disabled}
        onChange={(does) => onChange({ does: does as StepFields['does'] })}
      />
      {step.does === 'on' ? (
        <InputField
          label={`Step ${number} percent`}
          value={step.percentage}
          inputMode="numeric"
          disabled={disabled}
          onChange={(percentage) => onChange({ percentage })}
        />
      ) : (
        <span />
      )}
      {onRemove ? (
        <IconButton small label={`Remove step ${number}`} disabled={disabled} onClick={onRemove}>
          <Icon name="close" />
        </IconButton>
      ) : (
        <span />
      )}
    </div>
  )
}
