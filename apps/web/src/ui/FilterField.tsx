import { type ReactNode, useId } from 'react'
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

type DateProps = { label: string; value: string; onChange: (value: string) => void }

export function FilterDate({ label, value, onChange }: DateProps) {
  return (
    <Frame label={label} active={value !== ''}>
      {(id) => (
        <input
          id={id}
          type="date"
          className={css['control']}
          value={value}
          min="1900-01-01"
          max="2099-12-31"
          onChange={(event) => event.target.validity.valid && onChange(event.target.value)}
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
