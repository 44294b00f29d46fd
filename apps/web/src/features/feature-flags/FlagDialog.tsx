import * as featureFlags from '@agency/contract/descriptors/feature-flags'
import type { FeatureFlag } from '@agency/contract/types'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { q } from '../../lib/api.ts'
import { type EditForm, useEditForm } from '../../lib/form/use-edit-form.ts'
import { useField } from '../../lib/form/use-field.ts'
import { useCall } from '../../lib/use-call.ts'
import { EditFormDialog } from '../../ui/form/EditFormDialog.tsx'
import { SelectInput } from '../../ui/form/SelectInput.tsx'
import { SwitchInput } from '../../ui/form/SwitchInput.tsx'
import { TextInput } from '../../ui/form/TextInput.tsx'
import { SearchChoice } from '../../ui/SearchChoice.tsx'
import { useToast } from '../../ui/Toast.tsx'
import { AudienceInput, FoundChoice } from './AudienceInput.tsx'
import { type FlagFields, fieldsOf, flagProblems, newFields, sharedTerms, termsOf } from './flag-fields.ts'
import { kindChoices, rolloutBlock, unitChoices } from './flag-words.ts'
import css from './flags.module.css'
import { flagReads } from './flags-list.ts'

const serverFields = {
  owner_id: 'owner',
  rollout_by: 'rolloutBy',
  rollout_percentage: 'percentage',
  guard: 'guardSites',
} as const

type Props = { flag?: FeatureFlag; onClose: () => void }

/** A flag with all that can be set of it. */
export const FlagDialog = ({ flag, onClose }: Props) =>
  flag ? <EditFlag flag={flag} onClose={onClose} /> : <AddFlag onClose={onClose} />

function AddFlag({ onClose }: { onClose: () => void }) {
  const create = useCall(featureFlags.createFeatureFlag, flagReads)
  const toast = useToast()
  const form = useEditForm<FlagFields>({
    ...{ values: newFields, problemsOf: flagProblems, call: create, fields: serverFields },
  })
  const handleSubmit = (fields: FlagFields) =>
    create.mutate(
      { body: termsOf(fields) },
      {
        onSuccess: ({ flag }) => {
          toast.success(`Added ${flag.name}, switched off`)
          onClose()
        },
      },
    )
  return (
    <EditFormDialog
      title="Add Feature Flag"
      submitLabel="Add flag"
      wide
      form={form}
      onSubmit={handleSubmit}
      onClose={onClose}
    >
      <TextInput
        form={form}
        name="name"
        label="Name"
        help="Sites ask for it by this name, such as new-checkout. It cannot be changed later"
        autoFocus
        inputProps={{ maxLength: 100 }}
      />
      <Fields form={form} />
    </EditFormDialog>
  )
}

function EditFlag({ flag, onClose }: { flag: FeatureFlag; onClose: () => void }) {
  const save = useCall(featureFlags.updateFeatureFlag, flagReads)
  const toast = useToast()
  const client = useQueryClient()
  const [version, setVersion] = useState(flag.version)
  const reload = async () => {
    const { flags } = await client.fetchQuery({ ...q(featureFlags.listFeatureFlags, {}), staleTime: 0 })
    const now = flags.find(({ id }) => id === flag.id) ?? flag
    setVersion(now.version)
    return fieldsOf(now)
  }
  const form = useEditForm<FlagFields>({
    ...{ values: fieldsOf(flag), problemsOf: flagProblems, call: save, fields: serverFields, reload },
  })
  const block = rolloutBlock(flag)
  const handleSubmit = (fields: FlagFields) => {
    const body = { version, ...sharedTerms(fields), ...(block ? {} : { rollout_by: fields.rolloutBy }) }
    save.mutate(
      { params: { id: flag.id }, body },
      {
        onSuccess: () => {
          toast.success(`Saved ${flag.name}`)
          onClose()
        },
      },
    )
  }
  return (
    <EditFormDialog
      title={`Edit ${flag.name}`}
      submitLabel="Save flag"
      wide
      form={form}
      onSubmit={handleSubmit}
      onClose={onClose}
    >
      <Fields form={form} flag={flag} block={block} />
    </EditFormDialog>
  )
}

type FieldsProps = { form: EditForm<FlagFields>; flag?: FeatureFlag; block?: string | undefined }

function Fields({ form, flag, block }: FieldsProps) {
  return (
    <>
      <TextInput form={form} name="description" label="Description" inputProps={{ maxLength: 1000 }} multiline />
      <div className={css['pair']}>
        <SelectInput form={form} name="kind" label="Kind" choices={kindChoices} help="Says when it counts as stale" />
        <FoundChoice form={form} name="owner" kind="owners" label="Owner" isMany={false} />
      </div>
      <fieldset className={css['fields']}>
        <legend>Everyone else</legend>
        <div className={css['pair']}>
          <SelectInput
            form={form}
            name="rolloutBy"
            label="Percentage of"
            choices={unitChoices}
            help={block}
            {...(block !== undefined && { disabled: true })}
          />
          {flag ? null : <TextInput form={form} name="percentage" label="Rollout percentage" inputMode="numeric" />}
        </div>
      </fieldset>
      <AudienceInput form={form} field="always" legend="Always on for" />
      <AudienceInput form={form} field="never" legend="Never on for" />
      <fieldset className={css['fields']}>
        <legend>Needs these flags</legend>
        <Prerequisites form={form} ownId={flag?.id} />
      </fieldset>
      <fieldset className={css['fields']}>
        <legend>Guard</legend>
        <p className={css['muted']}>
          Pauses a rollout by itself, counted from its last step among those who see the flag.
        </p>
        <div className={css['triple']}>
          <TextInput
            form={form}
            name="guardSites"
            label="Sites with trouble"
            inputMode="numeric"
            help="Empty: not watched"
          />
          <TextInput
            form={form}
            name="guardErrors"
            label="Server errors"
            inputMode="numeric"
            help="Seen by the checks"
          />
          <TextInput form={form} name="guardRefunds" label="Refunds" inputMode="numeric" help="To their customers" />
        </div>
        <SwitchInput form={form} name="switchesOff" label="Switch the flag off too" />
      </fieldset>
    </>
  )
}

function Prerequisites({ form, ownId }: { form: EditForm<FlagFields>; ownId: string | undefined }) {
  const { value, onChange, problem, disabled } = useField(form, 'prerequisites')
  const [typed, setTyped] = useState('')
  const { data, isFetching } = useQuery(q(featureFlags.listFeatureFlags, {}))
  const wanted = typed.trim().toLowerCase()
  const options = (data?.flags ?? [])
    .filter(({ id, stage, name }) => id !== ownId && stage !== 'archived' && name.toLowerCase().includes(wanted))
    .map(({ id, name, description }) => ({ id, name, detail: description }))
  return (
    <SearchChoice
      label="Flags that must be on too"
      isMany
      options={options}
      chosen={value}
      isLoading={isFetching}
      problem={problem}
      disabled={disabled}
      onSearch={setTyped}
      onChange={(chosen) => onChange(chosen.map(({ id, name }) => ({ id, name })))}
    />
  )
}
