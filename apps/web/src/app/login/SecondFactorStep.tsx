import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { giveSecondFactor } from '../../lib/session.ts'
import { useCall } from '../../lib/use-call.ts'
import { MuiRoot } from '../../theme/MuiRoot.tsx'
import { Button } from '../../ui/Button.tsx'
import { InputField } from '../../ui/InputField.tsx'
import { AuthCard } from './AuthCard.tsx'
import { orCheckAgain } from './check-again.ts'
import css from './login.module.css'
import { stepErrorOf } from './login-error.ts'

const ways = {
  app: {
    line: 'Enter the six-digit code from your authenticator app.',
    label: 'Code',
    empty: 'Please enter the code',
    other: 'Use a recovery code',
  },
  recovery: {
    line: 'Enter one of your recovery codes. Each works once.',
    label: 'Recovery code',
    empty: 'Please enter a recovery code',
    other: 'Use the authenticator app',
  },
} as const

export function SecondFactorStep({ foot }: { foot: ReactNode }) {
  const [way, setWay] = useState<keyof typeof ways>('app')
  const words = ways[way]
  return (
    <AuthCard
      heading="Two-step verification"
      line={words.line}
      foot={
        <>
          {foot}
          <span>No phone and no recovery codes? A super admin can reset your two-step verification.</span>
        </>
      }
    >
      <CodeForm key={way} way={way} />
      <button type="button" className={css['link']} onClick={() => setWay(way === 'app' ? 'recovery' : 'app')}>
        {words.other}
      </button>
    </AuthCard>
  )
}

function CodeForm({ way }: { way: keyof typeof ways }) {
  const [code, setCode] = useState('')
  const [empty, setEmpty] = useState(false)
  const check = useCall((given: string) => orCheckAgain(() => giveSecondFactor(given)))
  const { mutate: submit, isPending: pending, error } = check
  const field = useRef<HTMLInputElement>(null)
  const words = ways[way]
  const told = error ? stepErrorOf(error, Date.now()) : undefined

  useEffect(() => {
    if (error) field.current?.focus()
  }, [error])

  const handleChange = (next: string) => {
    setCode(next)
    setEmpty(false)
    // All six digits are there: nothing else is left to do.
    if (way === 'app' && /^\d{6}$/.test(next.trim()) && next.trim() !== code.trim()) submit(next.trim())
  }
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    setEmpty(!code.trim())
    if (code.trim()) submit(code.trim())
  }
  return (
    <form className={css['form']} onSubmit={handleSubmit} noValidate>
      <MuiRoot>
        <InputField
          label={words.label}
          size="medium"
          inputRef={field}
          value={code}
          onChange={handleChange}
          disabled={pending}
          autoFocus
          autoComplete={way === 'app' ? 'one-time-code' : 'off'}
          inputMode={way === 'app' ? 'numeric' : 'text'}
          autoCapitalize="none"
          spellCheck={false}
          problem={empty ? words.empty : told && [told.text, told.detail].filter(Boolean).join(' ')}
        />
      </MuiRoot>
      <Button type="submit" variant="contained" size="large" loading={pending ? 'Checking' : false}>
        Continue
      </Button>
    </form>
  )
}
