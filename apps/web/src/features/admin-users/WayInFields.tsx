import Checkbox from '@mui/material/Checkbox'
import FormControlLabel from '@mui/material/FormControlLabel'
import Radio from '@mui/material/Radio'
import RadioGroup from '@mui/material/RadioGroup'
import { Button } from '../../ui/Button.tsx'
import { PasswordField } from '../../ui/PasswordField.tsx'
import css from './admin-users.module.css'
import { makePassword, type WayIn } from './way-in.ts'

type Props = {
  way: WayIn
  onChange: (change: Partial<WayIn>) => void
  linkLabel: string
  mailLabel: string
  problem: string | undefined
  disabled: boolean
}

export function WayInFields({ way, onChange, linkLabel, mailLabel, problem, disabled }: Props) {
  return (
    <>
      <RadioGroup
        aria-label="How they come in"
        value={way.by}
        onChange={(_, by) => onChange({ by: by as WayIn['by'] })}
      >
        <FormControlLabel
          value="password"
          disabled={disabled}
          control={<Radio size="small" />}
          label="Temporary password, which you hand over"
        />
        <FormControlLabel value="link" disabled={disabled} control={<Radio size="small" />} label={linkLabel} />
      </RadioGroup>
      {way.by === 'password' ? (
        <div className={css['withButton']}>
          <PasswordField
            label="Temporary Password"
            value={way.password}
            onChange={(password) => onChange({ password })}
            disabled={disabled}
            autoComplete="new-password"
            problem={problem}
            help="The user will be required to change the password on first login"
          />
          <Button variant="outlined" disabled={disabled} onClick={() => onChange({ password: makePassword() })}>
            Generate
          </Button>
        </div>
      ) : null}
      <FormControlLabel
        disabled={disabled}
        control={
          <Checkbox
            size="small"
            checked={way.sendMail}
            onChange={(event) => onChange({ sendMail: event.target.checked })}
          />
        }
        label={mailLabel}
      />
    </>
  )
}
