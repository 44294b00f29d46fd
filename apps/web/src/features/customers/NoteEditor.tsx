import TextField from '@mui/material/TextField'
import { type FormEvent, useState } from 'react'
import { formatCount } from '../../lib/format.ts'
import { Button } from '../../ui/Button.tsx'
import css from './notes.module.css'

type Props = {
  label: string
  submitLabel: string
  initial?: string
  pending: boolean
  error: { message: string; requestId?: string | undefined } | null
  onSave: (text: string, clear: () => void) => void
  onCancel?: () => void
}

const maxLength = 4000

export function NoteEditor({ label, submitLabel, initial = '', pending, error, onSave, onCancel }: Props) {
  const [text, setText] = useState(initial)
  const [tried, setTried] = useState(false)
  const length = text.trim().length
  const problem =
    length > maxLength
      ? `A note has ${formatCount(maxLength)} characters at most; this one has ${formatCount(length)}`
      : tried && length === 0
        ? 'Enter a note'
        : undefined
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (length === 0 || length > maxLength) return
    onSave(text.trim(), () => {
      setText('')
      setTried(false)
    })
  }
  return (
    <form className={css['composer']} onSubmit={handleSubmit} noValidate>
      <TextField
        label={label}
        value={text}
        onChange={(event) => setText(event.target.value)}
        multiline
        minRows={2}
        maxRows={12}
        fullWidth
        disabled={pending}
        error={problem !== undefined}
        helperText={problem}
        autoFocus={onCancel !== undefined}
      />
      {error ? (
        <p role="alert" className={css['problem']}>
          {error.message} {error.requestId ? `Request ${error.requestId}` : null}
        </p>
      ) : null}
      <div className={css['buttons']}>
        {onCancel ? (
          <Button onClick={onCancel} disabled={pending}>
            Cancel
          </Button>
        ) : null}
        <Button type="submit" variant="contained" loading={pending}>
          {submitLabel}
        </Button>
      </div>
    </form>
  )
}
