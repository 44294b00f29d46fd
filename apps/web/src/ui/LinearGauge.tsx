import { type ReactNode, useId } from 'react'
import type { Tone } from '../theme/palette.ts'
import css from './LinearGauge.module.css'

type Props = {
  label: string
  /** null when nothing was measured. */
  value: number | null
  /** The end of the scale. */
  max?: number
  text: ReactNode
  tone?: Tone
  title?: string
}

export function LinearGauge({ label, value, max = 100, text, tone = 'neutral', title }: Props) {
  const id = useId()
  const share = value === null ? 0 : Math.min(100, Math.max(0, (value / max) * 100))
  return (
    <div className={css['gauge']} title={title}>
      <span id={id}>{label}</span>
      <span className={css['value']} data-unknown={value === null}>
        {value === null ? 'Unavailable' : text}
      </span>
      {value === null ? (
        <div className={css['track']} />
      ) : (
        // biome-ignore lint/a11y/useSemanticElements: browsers do not let <meter> be drawn in the theme's colours
        <div
          className={css['track']}
          role="meter"
          aria-labelledby={id}
          aria-valuenow={value}
          aria-valuemin={0}
          aria-valuemax={max}
        >
          <div className={css['bar']} data-tone={tone} style={{ width: `${share}%` }} />
        </div>
      )}
    </div>
  )
}
