import { useState } from 'react'
import { Button } from '../../ui/Button.tsx'
import { StatusChip } from '../../ui/StatusChip.tsx'
import type { ControlProps } from './SettingControl.tsx'
import css from './settings.module.css'

/** A secret can be set, replaced and removed, and never read again. */
export function SecretControl({ id, setting, field, disabled, problem, onField }: ControlProps) {
  const [typing, setTyping] = useState(false)
  const [seen, setSeen] = useState(false)
  const { label, is_set, source } = setting

  if (typing || typeof field === 'string') {
    return (
      <span className={css['secret']}>
        <input
          id={id}
          className={css['control']}
          type={seen ? 'text' : 'password'}
          value={typeof field === 'string' ? field : ''}
          disabled={disabled}
          autoComplete="off"
          spellCheck={false}
          aria-describedby={problem ? `${id}-hint ${id}-problem` : `${id}-hint`}
          aria-invalid={problem ? true : undefined}
          // biome-ignore lint/a11y/noAutofocus: the field was asked for by the button that it replaces
          autoFocus={typing}
          onChange={(event) => onField(event.target.value)}
        />
        <Button size="small" aria-pressed={seen} onClick={() => setSeen((shown) => !shown)}>
          {seen ? 'Hide' : 'Show'}
        </Button>
        <Button
          size="small"
          onClick={() => {
            setTyping(false)
            onField('')
          }}
        >
          Keep
        </Button>
      </span>
    )
  }
  const chip = is_set ? <StatusChip tone="success" label="Set" /> : <StatusChip tone="neutral" label="Not set" />
  return (
    <span className={css['secret']}>
      {field === null ? <StatusChip tone="warning" label="Removed once saved" /> : chip}
      <Button
        id={id}
        size="small"
        variant="outlined"
        disabled={disabled}
        aria-label={`${is_set ? 'Replace' : 'Set'} ${label}`}
        onClick={() => setTyping(true)}
      >
        {is_set ? 'Replace' : 'Set'}
      </Button>
      {is_set && source === 'database' && field === undefined ? (
        <Button
          size="small"
          color="error"
          disabled={disabled}
          aria-label={`Remove ${label}`}
          onClick={() => onField(null)}
        >
          Remove
        </Button>
      ) : null}
    </span>
  )
}
