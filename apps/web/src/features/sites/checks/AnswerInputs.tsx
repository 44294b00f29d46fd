import type { EditForm } from '../../../lib/form/use-edit-form.ts'
import { SelectInput } from '../../../ui/form/SelectInput.tsx'
import { TextInput } from '../../../ui/form/TextInput.tsx'
import type { CheckFields } from './check-fields.ts'
import css from './checks.module.css'

type Props = { form: EditForm<CheckFields>; fields: CheckFields }

const keywordModes = [
  { value: 'none', label: 'Not checked' },
  { value: 'contains', label: 'Must be there' },
  { value: 'lacks', label: 'Must not be there' },
]
const redirectModes = [
  { value: 'follow', label: 'Follow up to 5' },
  { value: 'none', label: 'Must not redirect' },
  { value: 'expect', label: 'Must redirect to' },
]

/** What has to come back. */
export function AnswerInputs({ form, fields }: Props) {
  return (
    <section>
      <h3 className={css['heading']}>Expected answer</h3>
      <div className={css['fields']}>
        <TextInput
          form={form}
          name="statuses"
          label="Statuses"
          help="Such as 200-299, 301. Empty: any but 404, 410 and 5xx"
        />
        <TextInput
          form={form}
          name="certificateDays"
          label="Warn before the certificate ends, in days"
          help="0: no warning"
          inputMode="numeric"
        />
        <TextInput
          form={form}
          name="dns"
          label="DNS points to"
          help="An address or a CNAME. Empty: anywhere"
          spellCheck={false}
        />
        <span />
        <SelectInput form={form} name="redirectMode" label="Redirects" choices={redirectModes} />
        {fields.redirectMode === 'expect' ? (
          <TextInput form={form} name="redirectTo" label="Redirect to" type="url" spellCheck={false} />
        ) : (
          <span />
        )}
        <SelectInput form={form} name="keywordMode" label="Keyword" choices={keywordModes} />
        {fields.keywordMode === 'none' ? (
          <span />
        ) : (
          <TextInput form={form} name="keyword" label="Keyword text" help="In the first 256 KB, in any case" />
        )}
        <TextInput
          form={form}
          name="jsonPath"
          label="JSON path"
          help="Names and positions, such as $.items[0].status"
          spellCheck={false}
        />
        <TextInput form={form} name="jsonValue" label="JSON value" spellCheck={false} />
        <TextInput form={form} name="headerName" label="Header" help="Such as cache-control" spellCheck={false} />
        <TextInput form={form} name="headerContains" label="Header contains" spellCheck={false} />
      </div>
    </section>
  )
}
