import { useId } from 'react'
import css from './sql-console.module.css'

type Props = { values: readonly (string | null)[]; onChange: (values: (string | null)[]) => void }

/** A field for each placeholder of the query. */
export function ParameterFields({ values, onChange }: Props) {
  if (values.length === 0) return null
  const change = (index: number, value: string | null) =>
    onChange(values.map((before, at) => (at === index ? value : before)))
  return (
    <fieldset className={css['parameters']}>
      <legend>Parameters</legend>
      {values.map((value, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a parameter is its number
        <Parameter key={index} number={index + 1} value={value} onChange={(next) => change(index, next)} />
      ))}
    </fieldset>
  )
}

type ParameterProps = { number: number; value: string | null; onChange: (value: string | null) => void }

function Parameter({ number, value, onChange }: ParameterProps) {
  const id = useId()
  return (
    <div className={css['parameter']}>
      <label htmlFor={id}>{`$${number}`}</label>
      <input
        id={id}
        className={css['input']}
        value={value ?? ''}
        placeholder={value === null ? 'NULL' : undefined}
        disabled={value === null}
        autoComplete="off"
        maxLength={10_000}
        onChange={(event) => onChange(event.target.value)}
      />
      <label className={css['check']}>
        <input
          type="checkbox"
          checked={value === null}
          aria-label={`$${number} is NULL`}
          onChange={(event) => onChange(event.target.checked ? null : '')}
        />
        NULL
      </label>
    </div>
  )
}
