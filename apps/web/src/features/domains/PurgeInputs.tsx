import TextField from '@mui/material/TextField'
import { useWatch } from 'react-hook-form'
import type { EditForm } from '../../lib/form/use-edit-form.ts'
import { useField } from '../../lib/form/use-field.ts'
import { RadioInput } from '../../ui/form/RadioInput.tsx'
import type { PurgeTargets } from './purge-targets.ts'

const kinds = [
  { value: 'everything', label: 'Everything' },
  { value: 'hosts', label: 'Some hosts' },
  { value: 'files', label: 'Some addresses' },
]

const texts = {
  hosts: { label: 'Hosts', help: 'One a line, at most 30. Not every plan of Cloudflare can purge by host.' },
  files: { label: 'Addresses', help: 'One a line, at most 30, each with https:// or http:// in front.' },
}

type FormProps = { form: EditForm<PurgeTargets> }
type Props = FormProps & {
  /** Hosts of sites under the domain, to begin with. */
  hosts: readonly string[]
}

export function PurgeInputs({ form, hosts }: Props) {
  const kind = useWatch({ control: form.control, name: 'kind' })
  const begin = (chosen: string) => form.setValue('lines', chosen === 'hosts' ? hosts.join('\n') : '')
  return (
    <>
      <RadioInput form={form} name="kind" label="What to purge" choices={kinds} onChosen={begin} />
      {kind === 'everything' ? null : <Lines form={form} {...texts[kind]} />}
    </>
  )
}

function Lines({ form, label, help }: FormProps & { label: string; help: string }) {
  const { value, onChange, disabled } = useField(form, 'lines')
  return (
    <TextField
      label={label}
      helperText={help}
      value={value}
      disabled={disabled}
      multiline
      minRows={3}
      maxRows={8}
      autoComplete="off"
      onChange={(event) => onChange(event.target.value)}
    />
  )
}
