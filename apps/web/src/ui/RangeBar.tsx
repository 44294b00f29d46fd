import type { ReactNode } from 'react'
import { type Choice, FilterDate, FilterSelect } from './FilterField.tsx'
import css from './RangeBar.module.css'

type Props = {
  choices: readonly Choice[]
  initial: string
  range: string
  /** Days such as 2026-11-21; empty while none is chosen. */
  from: string
  to: string
  /** What is shown while a custom range is not complete: "the last 30 days". */
  meanwhile: string
  onChange: (change: { range?: string; from?: string; to?: string }) => void
  children?: ReactNode
}

/** Of which days a screen is: a choice, or any two days. */
export function RangeBar({ choices, initial, range, from, to, meanwhile, onChange, children }: Props) {
  const isCustom = range === 'custom'
  return (
    <div className={css['bar']}>
      <FilterSelect
        label="Date range"
        value={range}
        choices={choices}
        initial={initial}
        onChange={(value) => onChange({ range: value })}
      />
      {isCustom ? (
        <>
          <FilterDate label="From" value={from} onChange={(value) => onChange({ from: value })} />
          <FilterDate label="To" value={to} onChange={(value) => onChange({ to: value })} />
        </>
      ) : null}
      {children}
      {!isCustom ? null : from === '' || to === '' ? (
        <p className={css['note']}>Choose both days. Showing {meanwhile}.</p>
      ) : from > to ? (
        <p role="alert" className={css['problem']}>
          The last day must not be before the first. Showing {meanwhile}.
        </p>
      ) : null}
    </div>
  )
}
