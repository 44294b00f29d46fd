import type { ZoneAnalytics } from '@agency/contract/types'
import { lazy, Suspense, useState } from 'react'
import { Button } from '../../ui/Button.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { SectionBoundary } from '../../ui/SectionBoundary.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import css from './analytics.module.css'
import { type ChartLine, chartHeight, figureIn, type Scale } from './chart-lines.ts'
import { type Slot, timeLabel } from './figures.ts'
import { TrafficTable } from './TrafficTable.tsx'

const TrafficChart = lazy(() => import('./TrafficChart.tsx').then((m) => ({ default: m.TrafficChart })))

type Props = {
  title: string
  lines: ChartLine[]
  slots: Slot[]
  step: ZoneAnalytics['step']
  scale: Scale
}

export function ChartPanel({ title, lines, slots, step, scale }: Props) {
  const [asTable, setAsTable] = useState(false)
  const shown = lines.filter((line) => slots.some((slot) => figureIn(slot, line) !== null))
  return (
    <Panel
      title={title}
      actions={
        <Button size="small" aria-pressed={asTable} onClick={() => setAsTable(!asTable)}>
          Show as table
        </Button>
      }
    >
      {asTable ? (
        <TrafficTable title={title} lines={shown} slots={slots} step={step} format={scale.format} />
      ) : (
        <>
          <Legend lines={shown} />
          <SectionBoundary onRetry={() => setAsTable(false)}>
            <Suspense fallback={<Skeleton height={chartHeight} />}>
              <TrafficChart title={title} lines={shown} slots={slots} step={step} scale={scale} />
            </Suspense>
          </SectionBoundary>
          <Running slots={slots} line={shown[0]} step={step} format={scale.format} />
        </>
      )}
    </Panel>
  )
}

function Legend({ lines }: { lines: ChartLine[] }) {
  return (
    <ul className={css['legend']}>
      {lines.map(({ id, label, color, isBefore }) => (
        <li key={id}>
          <span className={css['stroke']} data-dashed={isBefore ?? false} style={{ color }} aria-hidden="true" />
          {label}
        </li>
      ))}
    </ul>
  )
}

type RunningProps = Pick<Props, 'slots' | 'step'> & { line: ChartLine | undefined; format: (value: number) => string }

/** The hour or day that is still running would look like a fall, so it is told instead of drawn. */
function Running({ slots, line, step, format }: RunningProps) {
  const last = slots.at(-1)
  const value = last && line ? figureIn(last, line) : null
  if (!last?.point?.is_partial || value === null) return null
  const name = step === 'hour' ? `The hour from ${timeLabel(last.ts, step)}` : timeLabel(last.ts, step)
  return (
    <p className={css['running']}>
      {name} is not over: {format(value)} so far
    </p>
  )
}
