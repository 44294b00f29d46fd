import css from './Sparkline.module.css'
import { barsOf, linePath, type Steps, sparkHeight, sparkText, stepWidth } from './sparkline.ts'

type Props = {
  /** What is drawn, as a screen reader says it: "Sites by day". */
  label: string
  values: Steps
  format: (value: number) => string
  /** `bars`: what came in each step, from zero. `line`: a level. */
  kind?: 'line' | 'bars'
  /** What the scale of a line holds in any case. */
  within?: readonly number[]
}

/** A small drawing of a figure's last days. What is not known is a gap. */
export function Sparkline({ label, values, format, kind = 'line', within }: Props) {
  if (values.every((value) => value === null)) return <span className={css['none']}>No history yet</span>
  const width = values.length * stepWidth
  return (
    <svg
      className={css['spark']}
      viewBox={`0 0 ${width} ${sparkHeight}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={`${label}: ${sparkText(values, format)}`}
    >
      {kind === 'bars' ? (
        <Bars values={values} width={width} />
      ) : (
        <path className={css['line']} d={linePath(values, within)} />
      )}
    </svg>
  )
}

function Bars({ values, width }: { values: Steps; width: number }) {
  const { bars, zero } = barsOf(values)
  return (
    <>
      <path className={css['zero']} d={`M0 ${zero}H${width}`} />
      {bars.map(({ x, y, height }) => (
        <rect key={x} className={css['bar']} x={x} y={y} width={stepWidth - 1} height={height} />
      ))}
    </>
  )
}
