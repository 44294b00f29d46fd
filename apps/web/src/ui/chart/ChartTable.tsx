import type { ReactNode } from 'react'
import css from './chart.module.css'

export type ChartColumn = { label: string; isText?: boolean }
export type ChartRow = { at: string; name: ReactNode; cells: readonly ReactNode[] }

type Props = {
  title: string
  /** What a row is: "Hour". */
  first: string
  columns: readonly ChartColumn[]
  /** Oldest first, as the axis has them. */
  rows: readonly ChartRow[]
}

/** The chart's figures, newest first. */
export function ChartTable({ title, first, columns, rows }: Props) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard has to reach it
    <section className={css['scroll']} tabIndex={0} aria-label={`${title} as a table`}>
      <table className={css['table']}>
        <thead>
          <tr>
            <th scope="col">{first}</th>
            {columns.map(({ label, isText = false }) => (
              <th key={label} scope="col" data-text={isText}>
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.toReversed().map(({ at, name, cells }) => (
            <tr key={at}>
              <th scope="row">{name}</th>
              {columns.map(({ label, isText = false }, index) => (
                <td key={label} data-text={isText}>
                  {cells[index]}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
