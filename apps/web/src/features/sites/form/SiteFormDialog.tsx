import Alert from '@mui/material/Alert'
import type { ComponentProps } from 'react'
import { useWatch } from 'react-hook-form'
import type { EditForm } from '../../../lib/form/use-edit-form.ts'
import { useField, useProblem } from '../../../lib/form/use-field.ts'
import { EditFormDialog } from '../../../ui/form/EditFormDialog.tsx'
import { TextInput } from '../../../ui/form/TextInput.tsx'
import css from './form.module.css'
import { OwnerField } from './OwnerField.tsx'
import { requiredText, type SiteFields } from './site-fields.ts'

type Props = Omit<ComponentProps<typeof EditFormDialog<SiteFields>>, 'children' | 'wide'>
type FieldProps = { form: EditForm<SiteFields> }

export function SiteFormDialog(props: Props) {
  const { form } = props
  return (
    <EditFormDialog {...props} wide>
      <Missing form={form} />
      <div className={css['form']}>
        <RequiredInput form={form} name="site_name" label="Site name" autoFocus />
        <RequiredInput form={form} name="domain" label="Domain" help="Such as harbour.example" spellCheck={false} />
        <TextInput form={form} name="subdomain" label="Subdomain" help="Optional" spellCheck={false} />
        <OwnerField {...useField(form, 'owner')} />
        <AddressInput form={form} />
        <TextInput form={form} name="template_type" label="Template" help="Optional" />
      </div>
    </EditFormDialog>
  )
}

const missingId = 'site-form-missing'

/** One notice for all required fields, which point to it. */
function Missing({ form }: FieldProps) {
  const problems = [useProblem(form, 'site_name'), useProblem(form, 'domain')]
  return problems.includes(requiredText) ? (
    <Alert severity="error" role="alert" id={missingId}>
      {requiredText}
    </Alert>
  ) : null
}

function RequiredInput({ form, ...props }: Omit<ComponentProps<typeof TextInput<SiteFields>>, 'required'>) {
  const isMissing = useProblem(form, props.name) === requiredText
  return <TextInput {...props} form={form} required problemId={isMissing ? missingId : undefined} />
}

function AddressInput({ form }: FieldProps) {
  const [typed, domain] = useWatch({ control: form.control, name: ['deployment_url', 'domain'] })
  const isLeftOut = typed.trim() === '' && domain.trim() !== ''
  const help = isLeftOut ? `Empty: https://${domain.trim()}` : 'Optional: http or https'
  return <TextInput form={form} name="deployment_url" label="Deployment URL" type="url" help={help} />
}
