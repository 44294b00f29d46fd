import { useId } from 'react'
import { formatCount } from '../lib/format.ts'
import { formatSpan } from '../lib/format-time.ts'
import { Button } from './Button.tsx'
import css from './Progress.module.css'

type Props = {
  label: string
  done: number
  /** null while it is not known how much there is. */
  total?: number | null
  /** The part that is done, from 0 to 1, where it is known by other means than a total. */
  share?: number | undefined
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
  const known = props.share ?? (total === null ? undefined : total === 0 ? 1 : Math.min(1, done / total))
  const percent = known === undefined ? undefined : Math.round(known * 100)
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
        aria-valuemax={100}
        aria-valuenow={percent}
      >
        <div
          className={css['bar']}
          data-unknown={percent === undefined}
          style={percent === undefined ? undefined : { width: `${percent}%` }}
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
