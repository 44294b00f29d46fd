import { lazy } from 'react'
import { type BarData, type BarSeries, barTotals, valueAt } from './bars.ts'
import { ChartFrame, type FrameProps } from './ChartFrame.tsx'
import { ChartTable } from './ChartTable.tsx'
import css from './chart.module.css'
import { Legend } from './Legend.tsx'

const BarFigure = lazy(() => import('./BarFigure.tsx').then((module) => ({ default: module.BarFigure })))

type Props = BarData &
  FrameProps & {
    /** What a row of the table is: "Month". */
    first: string
    /** Where the rows behind a figure are; the same leads on from the bar itself. */
    hrefOf?: ((slot: string, series: BarSeries) => string | undefined) | undefined
  }

/** Bars from zero, beside each other or one on the other, in their panel. */
export function BarPanel(props: Props) {
  const { title, slots, series, foot } = props
  const unknown = slots.filter((_, index) => series.every((each) => valueAt(each, index) === null)).length
  return (
    <ChartFrame
      {...props}
      title={title}
      isDrawable={unknown < slots.length}
      legend={series.length > 1 ? <Legend lines={series} /> : null}
      table={<AllBars {...props} />}
      foot={
        <>
          {unknown > 0 ? (
            <p className={css['foot']}>
              {unknown} of {slots.length} without data.
            </p>
          ) : null}
          {foot}
        </>
      }
    >
      <BarFigure {...props} />
    </ChartFrame>
  )
}

function AllBars({ title, slots, series, scale, nameOf, first, stacked = false, hrefOf }: Props) {
  const totals = stacked && series.length > 1 ? barTotals(slots, series) : null
  const columns = [...series, ...(totals ? [{ label: 'Total' }] : [])]
  const rows = slots.map((at, index) => ({
    at,
    name: nameOf(at),
    cells: [
      ...series.map((each) => {
        const value = valueAt(each, index)
        if (value === null) return '—'
        const href = hrefOf?.(at, each)
        if (!href) return scale.format(value)
        return (
          <a key={each.id} href={href}>
            {scale.format(value)}
          </a>
        )
      }),
      ...(totals ? [formatted(totals[index] ?? null, scale.format)] : []),
    ],
  }))
  return <ChartTable title={title} first={first} columns={columns} rows={rows} />
}

const formatted = (value: number | null, format: (value: number) => string) => (value === null ? '—' : format(value))
