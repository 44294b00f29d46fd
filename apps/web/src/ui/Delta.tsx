import { formatPercent } from '../lib/format.ts'
import css from './figures.module.css'
import { Hint } from './Hint.tsx'

type Props = {
  current: number
  /** null when there is no earlier period to compare with. */
  previous: number | null
  percent: number | null
  /** What was compared, in words. */
  definition: string
  /** "vs the 30 days before" */
  period: string
  format: (value: number) => string
  /** Where the difference has another unit than the figure. */
  formatChange?: ((value: number) => string) | undefined
  /** For figures like failures, where less is better. */
  lessIsBetter?: boolean
}

export function Delta({ current, previous, percent, definition, period, format, ...props }: Props) {
  const { formatChange = format, lessIsBetter = false } = props
  const change = previous === null ? 0 : current - previous
  const direction = change === 0 ? 'flat' : change > 0 !== lessIsBetter ? 'up' : 'down'
  return (
    <Hint
      content={
        <Comparison
          current={format(current)}
          previous={previous === null ? null : format(previous)}
          definition={definition}
        />
      }
    >
      <span className={css['delta']}>
        {previous === null ? null : <span className={css[direction]}>{wordsFor(change, percent, formatChange)}</span>}
        <span className={css['period']}>{previous === null ? 'nothing to compare yet' : period}</span>
      </span>
    </Hint>
  )
}

function wordsFor(change: number, percent: number | null, format: (n: number) => string) {
  if (change === 0) return 'no change'
  const sign = change > 0 ? '+' : '−'
  // From nothing there is no percentage; the difference itself is true.
  const size = percent === null ? format(Math.abs(change)) : formatPercent(Math.abs(percent))
  return (
    <>
      <span aria-hidden="true">{change > 0 ? '↑ ' : '↓ '}</span>
      {sign}
      {size}
    </>
  )
}

function Comparison({
  current,
  previous,
  definition,
}: {
  current: string
  previous: string | null
  definition: string
}) {
  return (
    <>
      <strong>Now: {current}</strong>
      <br />
      Before: {previous ?? 'no figure'}
      <br />
      {definition}
    </>
  )
}
