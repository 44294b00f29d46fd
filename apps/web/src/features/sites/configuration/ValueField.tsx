import { useState } from 'react'
import { Icon } from '../../../ui/Icon.tsx'
import { IconButton } from '../../../ui/IconButton.tsx'
import css from './configuration.module.css'

type Props = { label: string; value: string; onChange: (value: string) => void; isAskedFor?: boolean }

/** A secret as it is typed; shown only on request. */
export function ValueField({ label, value, onChange, isAskedFor = false }: Props) {
  const [seen, setSeen] = useState(false)
  return (
    <span className={css['secret']}>
      <input
        className={css['control']}
        type={seen ? 'text' : 'password'}
        value={value}
        aria-label={label}
        placeholder="Value"
        maxLength={5000}
        autoComplete="off"
        spellCheck={false}
        // biome-ignore lint/a11y/noAutofocus: the field was asked for by the button that it replaces
        autoFocus={isAskedFor}
        onChange={(event) => onChange(event.target.value)}
      />
      <IconButton small label={seen ? 'Hide value' : 'Show value'} onClick={() => setSeen(!seen)}>
        <Icon name="eye" size={16} />
      </IconButton>
    </span>
  )
}
