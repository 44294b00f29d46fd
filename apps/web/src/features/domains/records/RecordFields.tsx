import type { RecordType } from '@agency/contract/types'
import { useWatch } from 'react-hook-form'
import type { EditForm } from '../../../lib/form/use-edit-form.ts'
import { formatCount } from '../../../lib/format.ts'
import { SelectInput } from '../../../ui/form/SelectInput.tsx'
import { SwitchInput } from '../../../ui/form/SwitchInput.tsx'
import { TextInput } from '../../../ui/form/TextInput.tsx'
import { hasTtl, type RecordValues } from './record-form.ts'
import { isProxiable, typeNames } from './record-words.ts'
import css from './records.module.css'

const typeChoices = Object.entries(typeNames).map(([value, label]) => ({ value, label }))
const ttlChoices = [
  { value: '1', label: 'Auto' },
  { value: '60', label: '1 minute' },
  { value: '120', label: '2 minutes' },
  { value: '300', label: '5 minutes' },
  { value: '600', label: '10 minutes' },
  { value: '1800', label: '30 minutes' },
  { value: '3600', label: '1 hour' },
  { value: '7200', label: '2 hours' },
  { value: '18000', label: '5 hours' },
  { value: '43200', label: '12 hours' },
  { value: '86400', label: '1 day' },
]
/** One that was chosen elsewhere may be any number of seconds, and stays as it is. */
function ttlChoicesWith(ttl: string) {
  if (ttlChoices.some(({ value }) => value === ttl)) return ttlChoices
  return [...ttlChoices, { value: ttl, label: `${formatCount(Number(ttl))} seconds` }]
}

const tagChoices = [
  { value: 'issue', label: 'Only allow this authority (issue)' },
  { value: 'issuewild', label: 'Only for wildcards (issuewild)' },
  { value: 'iodef', label: 'Report violations to (iodef)' },
]

const contentLabels: Partial<Record<RecordType, string>> = {
  A: 'IPv4 address',
  AAAA: 'IPv6 address',
  CNAME: 'Target',
  MX: 'Mail server',
  NS: 'Name server',
  TXT: 'Text',
}

type Props = { form: EditForm<RecordValues>; domain: string; isNew: boolean }

/** The fields that a record of the chosen type has. */
export function RecordFields({ form, domain, isNew }: Props) {
  const [type, proxied] = useWatch({ control: form.control, name: ['type', 'proxied'] })
  return (
    <>
      {isNew ? <SelectInput form={form} name="type" label="Type" choices={typeChoices} /> : null}
      <TextInput form={form} name="name" label="Name" help={`@ is ${domain} itself`} />
      <ContentFields form={form} type={type} />
      {isProxiable(type) ? (
        <SwitchInput
          form={form}
          name="proxied"
          label="Proxied"
          help="Cloudflare hides the target and caches its files"
        />
      ) : null}
      {hasTtl({ type, proxied }) ? (
        <SelectInput form={form} name="ttl" label="TTL" choices={ttlChoicesWith(form.before.ttl)} />
      ) : null}
      <TextInput form={form} name="comment" label="Comment" />
    </>
  )
}

function ContentFields({ form, type }: Pick<Props, 'form'> & { type: RecordType }) {
  if (type === 'SRV')
    return (
      <>
        <TextInput form={form} name="target" label="Target" />
        <div className={css['numbers']}>
          <TextInput form={form} name="priority" label="Priority" inputMode="numeric" />
          <TextInput form={form} name="weight" label="Weight" inputMode="numeric" />
          <TextInput form={form} name="port" label="Port" inputMode="numeric" />
        </div>
      </>
    )
  if (type === 'CAA')
    return (
      <>
        <SelectInput form={form} name="tag" label="Tag" choices={tagChoices} />
        <TextInput form={form} name="value" label="Certificate authority" />
        <TextInput form={form} name="flags" label="Flags" inputMode="numeric" />
      </>
    )
  return (
    <>
      <TextInput form={form} name="content" label={contentLabels[type] ?? 'Content'} multiline={type === 'TXT'} />
      {type === 'MX' ? <TextInput form={form} name="priority" label="Priority" inputMode="numeric" /> : null}
    </>
  )
}
