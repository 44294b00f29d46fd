import css from './chart.module.css'
import type { ChartLimit, ChartLine, ChartMarks } from './chart.ts'

type Named = Pick<ChartLine, 'id' | 'label' | 'note' | 'color' | 'isDashed'>

type Props = {
  lines: readonly Named[]
  limit?: ChartLimit | null | undefined
  marks?: readonly ChartMarks[] | undefined
}

export function Legend({ lines, limit, marks = [] }: Props) {
  return (
    <ul className={css['legend']}>
      {lines.map(({ id, label, note, color, isDashed = false }) => (
        <li key={id}>
          <span className={css['stroke']} data-line={isDashed ? 'dashed' : 'solid'} style={{ color }} aria-hidden />
          {note === undefined ? label : `${label} (${note})`}
        </li>
      ))}
      {limit ? (
        <li>
          <span className={css['stroke']} data-line="limit" aria-hidden />
          {limit.label}
        </li>
      ) : null}
      {marks
        .filter(({ at }) => at.length > 0)
        .map(({ label, isBad = false }) => (
          <li key={label}>
            <span className={css['stroke']} data-line={isBad ? 'bad' : 'dashed'} aria-hidden />
            {label}
          </li>
        ))}
    </ul>
  )
}
