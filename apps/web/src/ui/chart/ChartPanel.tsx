import { lazy, type ReactNode } from 'react'
import { ChartFrame, type FrameProps } from './ChartFrame.tsx'
import { ChartTable } from './ChartTable.tsx'
import { type ChartData, isDrawable } from './chart.ts'
import { Legend } from './Legend.tsx'

const LineFigure = lazy(() => import('./LineFigure.tsx').then((module) => ({ default: module.LineFigure })))

type Props = ChartData &
  FrameProps & {
    /** What a row of the table is: "Hour". */
    first: string
    /** Instead of the table of all lines. */
    table?: ReactNode
  }

/** A line chart in its panel. */
export function ChartPanel(props: Props) {
  const { title, lines, limit, marks, table } = props
  return (
    <ChartFrame
      {...props}
      title={title}
      isDrawable={isDrawable(lines)}
      legend={<Legend lines={lines} limit={limit} marks={marks} />}
      table={table ?? <AllLines {...props} />}
    >
      <LineFigure {...props} />
    </ChartFrame>
  )
}

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
