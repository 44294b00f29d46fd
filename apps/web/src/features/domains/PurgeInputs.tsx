import TextField from '@mui/material/TextField'
import { useWatch } from 'react-hook-form'
import type { EditForm } from '../../lib/form/use-edit-form.ts'
import { useField } from '../../lib/form/use-field.ts'
import { RadioInput } from '../../ui/form/RadioInput.tsx'
import type { PurgeTargets } from './purge-targets.ts'

const kinds = [
  { value: 'everything', label: 'Everything' },
  { value: 'hosts', label: 'By hostname' },
  { value: 'files', label: 'By URL' },
]

const texts = {
  hosts: { label: 'Hostnames', help: 'One per line, at most 30. Not available on every Cloudflare plan.' },
  files: { label: 'URLs', help: 'One per line, at most 30, starting with https:// or http://.' },
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
