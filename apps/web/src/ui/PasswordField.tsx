import InputAdornment from '@mui/material/InputAdornment'
import { type ComponentProps, useState } from 'react'
import { Button } from './Button.tsx'
import { InputField } from './InputField.tsx'

type Props = ComponentProps<typeof InputField> & {
  /** What the button shows, where that is no password: "Show key". */
  noun?: string
}

/** A password that can be looked at, so that nobody has to type it twice. */
export function PasswordField({ noun, ...props }: Props) {
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
            {...(noun ? {} : { 'aria-pressed': shown, 'aria-label': `Show ${props.label}` })}
            onClick={() => setShown((now) => !now)}
          >
            {[shown ? 'Hide' : 'Show', noun].filter(Boolean).join(' ')}
          </Button>
        </InputAdornment>
      }
    />
  )
}
