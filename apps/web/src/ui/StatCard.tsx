import type { ReactNode } from 'react'
import type { Tone } from '../theme/palette.ts'
import { exactTitle } from './exact-title.ts'
import { Skeleton } from './Skeleton.tsx'
import css from './StatCard.module.css'

type Props = {
  label: string
  /** The figure. With state 'unavailable' it is what stands in for it, and is marked so. */
  value: ReactNode
  state?: 'loading' | 'ready' | 'unavailable'
  href?: string | undefined
  icon?: ReactNode
  tone?: Tone
  /** A Delta, a second figure, or one short remark. */
  note?: ReactNode
  /** When the figure was true; shown on hover. */
  asOf?: string | number | null
  /** A small drawing of its last days; null keeps the room for one. */
  chart?: ReactNode
}

export function StatCard({ label, value, state = 'ready', href, icon, tone = 'neutral', note, asOf, chart }: Props) {
  const unavailable = state === 'unavailable'
  return (
    <article className={css['card']} data-link={href !== undefined} aria-busy={state === 'loading'}>
      <div className={css['top']}>
        <a className={css['label']} href={href}>
          {label}
        </a>
        {icon ? (
          <span className={css['icon']} aria-hidden="true">
            {icon}
          </span>
        ) : null}
      </div>
      <div
        className={css['value']}
        data-tone={tone}
        data-unavailable={unavailable}
        {...(asOf ? exactTitle(asOf, 'As of ') : undefined)}
      >
        {state === 'loading' ? <Skeleton width="55%" height={30} /> : value}
      </div>
      <div className={css['foot']}>
        {state === 'loading' ? <Skeleton width="40%" height={12} /> : null}
        {unavailable ? <span className={css['unavailable']}>Unavailable</span> : null}
        {state === 'loading' ? null : note}
      </div>
      {chart === undefined ? null : <div className={css['chart']}>{chart}</div>}
    </article>
  )
}
