import InputAdornment from '@mui/material/InputAdornment'
import { type ComponentProps, useState } from 'react'
import { Button } from './Button.tsx'
import { InputField } from './InputField.tsx'

type Props = ComponentProps<typeof InputField>

/** A password that can be looked at, so that nobody has to type it twice. */
export function PasswordField(props: Props) {
  const [shown, setShown] = useState(false)
  return (
    <InputField
      {...props}
      type={shown ? 'text' : 'password'}
      autoCapitalize="none"
      spellCheck={false}
      endAdornment={
        <InputAdornment position="end">
          <Button
            size="small"
            aria-pressed={shown}
            aria-label={`Show ${props.label}`}
            onClick={() => setShown((now) => !now)}
          >
            {shown ? 'Hide' : 'Show'}
          </Button>
        </InputAdornment>
      }
    />
  )
}
