import Checkbox from '@mui/material/Checkbox'
import FormControlLabel from '@mui/material/FormControlLabel'
import type { EditForm } from '../../lib/form/use-edit-form.ts'
import { useField } from '../../lib/form/use-field.ts'
import { Button } from '../../ui/Button.tsx'
import { RadioInput } from '../../ui/form/RadioInput.tsx'
import { PasswordField } from '../../ui/PasswordField.tsx'
import css from './admin-users.module.css'
import { makePassword, type WayIn } from './way-in.ts'

type FormProps = { form: EditForm<WayIn> }
type Props = FormProps & { linkLabel: string; mailLabel: string }

export function WayInInputs({ form, linkLabel, mailLabel }: Props) {
  const by = useField(form, 'by')
  const mail = useField(form, 'sendMail')
  return (
    <>
      <RadioInput
        form={form}
        name="by"
        label="First sign-in"
        choices={[
          { value: 'password', label: 'Temporary password to share' },
          { value: 'link', label: linkLabel },
        ]}
      />
      {by.value === 'password' ? <TemporaryPassword form={form} /> : null}
      <FormControlLabel
        disabled={mail.disabled}
        control={
          <Checkbox size="small" checked={mail.value} onChange={(event) => mail.onChange(event.target.checked)} />
        }
        label={mailLabel}
      />
    </>
  )
}

function TemporaryPassword({ form }: FormProps) {
  const password = useField(form, 'password')
  return (
    <div className={css['withButton']}>
      <PasswordField
        label="Temporary Password"
        {...password}
        autoComplete="new-password"
        help="The user will be required to change the password on first login"
      />
      <Button variant="outlined" disabled={form.isPending} onClick={() => password.onChange(makePassword())}>
        Generate
      </Button>
    </div>
  )
}
