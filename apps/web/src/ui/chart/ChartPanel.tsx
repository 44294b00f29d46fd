import { type ComponentProps, lazy, type ReactNode, Suspense, useState } from 'react'
import { Button } from '../Button.tsx'
import { Panel } from '../Panel.tsx'
import { SectionBoundary } from '../SectionBoundary.tsx'
import { Skeleton } from '../Skeleton.tsx'
import { ChartTable } from './ChartTable.tsx'
import css from './chart.module.css'
import { type ChartData, type ChartLimit, type ChartLine, type ChartMarks, chartHeight, isDrawable } from './chart.ts'

const LineFigure = lazy(() => import('./LineFigure.tsx').then((module) => ({ default: module.LineFigure })))

type Props = ChartData & {
  /** What a row of the table is: "Hour". */
  first: string
  /** Instead of the table of all lines. */
  table?: ReactNode
  /** Nothing at all is known: why. There is no table then either. */
  empty?: ReactNode
  /** Nothing can be drawn, although the table has rows. */
  undrawable?: ReactNode
  /** What stands above the chart and its table. */
  head?: ReactNode
  /** What stands below the chart. */
  foot?: ReactNode
} & Pick<ComponentProps<typeof Panel>, 'footer' | 'asOf'>

/** A line chart in its panel, with its legend and the same figures as a table. */
export function ChartPanel(props: Props) {
  const { title, lines, empty, head, undrawable = <Nothing /> } = props
  const [asTable, setAsTable] = useState(false)
  const isEmpty = empty != null
  return (
    <Panel
      title={title}
      asOf={props.asOf}
      footer={props.footer}
      actions={
        <Button size="small" aria-pressed={asTable} disabled={isEmpty} onClick={() => setAsTable(!asTable)}>
          Show as table
        </Button>
      }
    >
      {head}
      {isEmpty ? (
        <p className={css['muted']}>{empty}</p>
      ) : asTable ? (
        (props.table ?? <AllLines {...props} />)
      ) : isDrawable(lines) ? (
        <>
          <Legend lines={lines} limit={props.limit} marks={props.marks} />
          <SectionBoundary onRetry={() => setAsTable(false)}>
            <Suspense fallback={<Skeleton height={chartHeight} />}>
              <LineFigure {...props} />
            </Suspense>
          </SectionBoundary>
          {props.foot}
        </>
      ) : (
        <p className={css['muted']}>{undrawable}</p>
      )}
    </Panel>
  )
}

const Nothing = () => 'Nothing was measured in this time.'

function AllLines({ title, slots, lines, scale, nameOf, first }: Props) {
  const rows = slots.map((at, index) => ({
    at,
    name: nameOf(at),
    cells: lines.map(({ values }) => {
      const value = values[index] ?? null
      return value === null ? '—' : scale.format(value)
    }),
  }))
  return <ChartTable title={title} first={first} columns={lines} rows={rows} />
}

type LegendProps = {
  lines: readonly ChartLine[]
  limit: ChartLimit | null | undefined
  marks: readonly ChartMarks[] | undefined
}

function Legend({ lines, limit, marks = [] }: LegendProps) {
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
