import { lazy, type ReactNode, Suspense, useId, useState } from 'react'
import { readDay } from '../lib/calendar-days.ts'
import { dayWords } from '../lib/day-field.ts'
import css from './FilterField.module.css'
import { Icon } from './Icon.tsx'

const Calendar = lazy(() => import('./Calendar.tsx').then((module) => ({ default: module.Calendar })))

export type Choice = { value: string; label: string }

type SelectProps = {
  label: string
  value: string
  choices: readonly Choice[]
  onChange: (value: string) => void
  disabledReason?: string | undefined
  /** What nothing is chosen by; the first choice unless told. */
  initial?: string | undefined
}

/** A choice in a tool bar. The browser's own list: at hand on phones, by keyboard, and free of code to load. */
export function FilterSelect({ label, value, choices, onChange, disabledReason, initial }: SelectProps) {
  const known = choices.some((choice) => choice.value === value)
  return (
    <Frame label={label} title={disabledReason} active={value !== (initial ?? choices[0]?.value)}>
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

/** A day: typed as it is shown, or chosen in a calendar. */
export function FilterDate({ label, value, onChange }: FieldProps) {
  const shown = value === '' ? '' : dayWords(value)
  const [text, setText] = useKnown(shown)
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const labelId = useId()
  const isWrong = text.trim() !== '' && readDay(text) === null
  const handleText = (typed: string) => {
    setText(typed)
    const day = typed.trim() === '' ? '' : readDay(typed)
    if (day !== null && day !== value) onChange(day)
  }
  return (
    <Frame label={label} labelId={labelId} active={value !== ''}>
      {(id) => (
        <>
          <input
            id={id}
            className={css['date']}
            value={text}
            placeholder="mm/dd/yyyy"
            autoComplete="off"
            spellCheck={false}
            aria-invalid={isWrong || undefined}
            title={isWrong ? 'Month/day/year, from 1900 to 2099' : undefined}
            onChange={(event) => handleText(event.target.value)}
            onBlur={() => isWrong || setText(shown)}
          />
          <button
            type="button"
            className={css['open']}
            aria-label="Open calendar"
            aria-describedby={labelId}
            aria-haspopup="dialog"
            aria-expanded={anchor !== null}
            onClick={(event) => setAnchor(event.currentTarget)}
          >
            <Icon name="calendar" />
          </button>
          {anchor ? (
            <Suspense>
              <Calendar
                anchor={anchor}
                label={label}
                value={value}
                onClose={() => setAnchor(null)}
                onChoose={(day) => {
                  setAnchor(null)
                  if (day !== value) onChange(day)
                }}
              />
            </Suspense>
          ) : null}
        </>
      )}
    </Frame>
  )
}

/** What is typed, until the URL changes under the field: back, forward, a filter taken away. */
function useKnown(value: string) {
  const [text, setText] = useState(value)
  const [known, setKnown] = useState(value)
  if (value !== known) {
    setKnown(value)
    setText(value)
  }
  return [text, setText] as const
}

/** A text that is matched as a whole: told with Enter, or when the field is left. */
export function FilterText({ label, value, onChange }: FieldProps) {
  const [text, setText] = useKnown(value)
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

type FrameProps = {
  label: string
  labelId?: string
  title?: string | undefined
  active: boolean
  children: (id: string) => ReactNode
}

function Frame({ label, labelId, title, active, children }: FrameProps) {
  const id = useId()
  return (
    <span className={css['field']} title={title} data-active={active}>
      <label id={labelId} htmlFor={id} className={css['label']}>
        {label}
      </label>
      {children(id)}
    </span>
  )
}
