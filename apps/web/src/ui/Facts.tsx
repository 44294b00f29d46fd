import type { ReactNode } from 'react'
import { CopyButton } from './CopyButton.tsx'
import css from './Facts.module.css'

export type Fact = {
  label: string
  /** null and undefined read as "Not given". */
  value: ReactNode
  /** An id: set in a monospace face, with a button that copies it. */
  id?: string | null
  wide?: boolean
}

export function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className={css['facts']}>
      {facts.map(({ label, value, id, wide = false }) => (
        <div key={label} className={css['fact']} data-wide={wide}>
          <dt>{label}</dt>
          <dd data-id={id != null}>
            {value ?? id ?? <span className={css['none']}>Not given</span>}
            {id ? <CopyButton text={id} label={`Copy ${label}`} /> : null}
          </dd>
        </div>
      ))}
    </dl>
  )
}
