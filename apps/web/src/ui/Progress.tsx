import Button from '@mui/material/Button'
import { useId } from 'react'
import { formatCount, formatSpan } from '../lib/format.ts'
import css from './Progress.module.css'

type Props = {
  label: string
  done: number
  /** null while it is not known how much there is. */
  total?: number | null
  /** What is counted: "objects". */
  unit: string
  perSecond?: number | null
  remainingSeconds?: number | null
  /** Anything else worth a word: "12 pages". */
  extra?: string
  onCancel?: () => void
  cancelling?: boolean
}

export function Progress(props: Props) {
  const { label, done, total = null, onCancel, cancelling = false } = props
  const id = useId()
  return (
    <div className={css['progress']}>
      <span id={id} className={css['label']}>
        {label}
      </span>
      <span className={css['facts']}>{factsOf(props).join(' · ')}</span>
      {onCancel ? (
        <span className={css['action']}>
          <Button size="small" onClick={onCancel} disabled={cancelling}>
            {cancelling ? 'Cancelling' : 'Cancel'}
          </Button>
        </span>
      ) : null}
      <div
        className={css['track']}
        role="progressbar"
        aria-labelledby={id}
        aria-valuemin={0}
        aria-valuemax={total ?? undefined}
        aria-valuenow={total === null ? undefined : done}
      >
        <div
          className={css['bar']}
          data-unknown={total === null}
          style={total === null ? undefined : { width: `${total === 0 ? 100 : Math.min(100, (done / total) * 100)}%` }}
        />
      </div>
    </div>
  )
}

function factsOf({ done, total, unit, perSecond, remainingSeconds, extra }: Props): string[] {
  const count = total == null ? formatCount(done) : `${formatCount(done)} of ${formatCount(total)}`
  return [
    `${count} ${unit}`,
    extra,
    perSecond == null ? undefined : `${formatCount(Math.round(perSecond))} per second`,
    remainingSeconds == null ? undefined : `about ${formatSpan(remainingSeconds)} left`,
  ].filter((fact) => fact !== undefined)
}
