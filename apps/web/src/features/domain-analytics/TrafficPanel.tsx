import type { ZoneAnalytics } from '@agency/contract/types'
import { ChartPanel } from '../../ui/chart/ChartPanel.tsx'
import { ChartTable } from '../../ui/chart/ChartTable.tsx'
import type { Scale } from '../../ui/chart/chart.ts'
import css from './analytics.module.css'
import { longTimeLabel, type Slot, timeLabel } from './figures.ts'
import { drawnIn, figureIn, type TrafficLine } from './traffic-lines.ts'

type Props = {
  title: string
  lines: TrafficLine[]
  slots: Slot[]
  step: ZoneAnalytics['step']
  scale: Scale
}

export function TrafficPanel({ title, lines, slots, step, scale }: Props) {
  const shown = lines.filter((line) => slots.some((slot) => figureIn(slot, line) !== null))
  return (
    <ChartPanel
      title={title}
      first={firstOf(step)}
      slots={slots.map(({ ts }) => ts)}
      lines={shown.map((line) => ({
        id: line.id,
        label: line.label,
        color: line.color,
        isDashed: line.isBefore ?? false,
        values: slots.map((slot) => figureIn(slot, line)),
        drawn: slots.map((slot) => drawnIn(slot, line)),
      }))}
      scale={scale}
      tickOf={(ts) => timeLabel(ts, step)}
      nameOf={(ts) => longTimeLabel(ts, step)}
      table={<TrafficTable title={title} lines={shown} slots={slots} step={step} scale={scale} />}
      foot={<Running slots={slots} line={shown[0]} step={step} format={scale.format} />}
    />
  )
}

const firstOf = (step: Props['step']): string => (step === 'day' ? 'Day (UTC)' : 'Hour')

function TrafficTable({ title, lines, slots, step, scale }: Props) {
  const rows = slots.map((slot) => ({
    at: slot.ts,
    name: (
      <>
        {longTimeLabel(slot.ts, step)}
        {slot.point?.is_partial ? <span className={css['mark']}> in progress</span> : null}
        {slot.point?.is_sampled ? <span className={css['mark']}> sampled</span> : null}
      </>
    ),
    cells: lines.map((line) => {
      const value = figureIn(slot, line)
      return value === null ? '—' : scale.format(value)
    }),
  }))
  return <ChartTable title={title} first={firstOf(step)} columns={lines} rows={rows} />
}

type RunningProps = Pick<Props, 'slots' | 'step'> & { line: TrafficLine | undefined; format: (value: number) => string }

/** The hour or day that is still running would look like a fall, so it is told instead of drawn. */
function Running({ slots, line, step, format }: RunningProps) {
  const last = slots.at(-1)
  const value = last && line ? figureIn(last, line) : null
  if (!last?.point?.is_partial || value === null) return null
  const name = timeLabel(last.ts, step)
  return (
    <p className={css['running']}>
      {name} (in progress): {format(value)}
    </p>
  )
}
