import type { ReactNode } from 'react'
import { CopyButton } from './CopyButton.tsx'
import css from './Facts.module.css'

export type Fact = {
  label: string
  /** A fact with neither value nor id does not apply, and is left out. */
  value: ReactNode
  /** An id: set in a monospace face, with a button that copies it. */
  id?: string | null
  wide?: boolean
}

const isGiven = ({ value, id }: Fact): boolean => value != null || id != null

export function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className={css['facts']}>
      {facts.filter(isGiven).map(({ label, value, id, wide = false }) => (
        <div key={label} className={css['fact']} data-wide={wide}>
          <dt>{label}</dt>
          <dd data-id={id != null}>
            {value ?? id}
            {id ? <CopyButton text={id} label={`Copy ${label}`} /> : null}
          </dd>
        </div>
      ))}
    </dl>
  )
}
