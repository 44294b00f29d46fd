import type { ZoneAnalytics } from '@agency/contract/types'
import css from './analytics.module.css'
import { type ChartLine, figureIn } from './chart-lines.ts'
import { longTimeLabel, type Slot } from './figures.ts'

type Props = {
  title: string
  lines: ChartLine[]
  slots: Slot[]
  step: ZoneAnalytics['step']
  format: (value: number) => string
}

/** The chart's figures, newest first. */
export function TrafficTable({ title, lines, slots, step, format }: Props) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard has to reach it
    <section className={css['scroll']} tabIndex={0} aria-label={`${title} as a table`}>
      <table className={css['table']}>
        <thead>
          <tr>
            <th scope="col">{step === 'day' ? 'Day (UTC)' : 'Hour'}</th>
            {lines.map(({ id, label }) => (
              <th key={id} scope="col">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {slots.toReversed().map((slot) => (
            <tr key={slot.ts}>
              <th scope="row">
                {longTimeLabel(slot.ts, step)}
                {slot.point?.is_partial ? <span className={css['mark']}> not over</span> : null}
                {slot.point?.is_sampled ? <span className={css['mark']}> sampled</span> : null}
              </th>
              {lines.map((line) => {
                const value = figureIn(slot, line)
                return <td key={line.id}>{value === null ? '—' : format(value)}</td>
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
