import { type ReactNode, useDeferredValue, useId, useState } from 'react'
import css from './FilterField.module.css'

export type Choice = { value: string; label: string }

type SelectProps = {
  label: string
  value: string
  choices: readonly Choice[]
  onChange: (value: string) => void
  disabledReason?: string | undefined
}

/** A choice in a tool bar. The browser's own list: at hand on phones, by keyboard, and free of code to load. */
export function FilterSelect({ label, value, choices, onChange, disabledReason }: SelectProps) {
  const known = choices.some((choice) => choice.value === value)
  return (
    <Frame label={label} title={disabledReason} active={value !== choices[0]?.value}>
      {(id) => (
        <select
          id={id}
          className={css['control']}
          value={value}
          disabled={disabledReason !== undefined}
          onChange={(event) => onChange(event.target.value)}
        >
          {known ? null : <option value={value}>{value}</option>}
          {choices.map((choice) => (
            <option key={choice.value} value={choice.value}>
              {choice.label}
            </option>
          ))}
        </select>
      )}
    </Frame>
  )
}

type FieldProps = { label: string; value: string; onChange: (value: string) => void }

export function FilterDate({ label, value, onChange }: FieldProps) {
  // The browser takes as long to make two fields for dates as to make thirty rows: the rows come first.
  const type = useDeferredValue('date', 'text')
  return (
    <Frame label={label} active={value !== ''}>
      {(id) => (
        <input
          id={id}
          type={type}
          className={css['date']}
          value={value}
          min="1900-01-01"
          max="2099-12-31"
          onChange={(event) => event.target.validity.valid && onChange(event.target.value)}
        />
      )}
    </Frame>
  )
}

/** A text that is matched as a whole: told with Enter, or when the field is left. */
export function FilterText({ label, value, onChange }: FieldProps) {
  const [text, setText] = useState(value)
  const [known, setKnown] = useState(value)
  // The URL may change under the field: back, forward, a filter taken away.
  if (value !== known) {
    setKnown(value)
    setText(value)
  }
  const tell = () => {
    const next = text.trim()
    if (next !== value) onChange(next)
  }
  return (
    <Frame label={label} active={value !== ''}>
      {(id) => (
        <input
          id={id}
          className={css['control']}
          value={text}
          size={14}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => setText(event.target.value)}
          onBlur={tell}
          onKeyDown={(event) => event.key === 'Enter' && tell()}
        />
      )}
    </Frame>
  )
}

type FrameProps = { label: string; title?: string | undefined; active: boolean; children: (id: string) => ReactNode }

function Frame({ label, title, active, children }: FrameProps) {
  const id = useId()
  return (
    <span className={css['field']} title={title} data-active={active}>
      <label htmlFor={id} className={css['label']}>
        {label}
      </label>
      {children(id)}
    </span>
  )
}
