import type { ReactNode } from 'react'
import css from './billing.module.css'

export type StaticRow = { id: string; cells: readonly ReactNode[] }

type Props = {
  label: string
  /** Headers; one that starts with `>` stands on the right with its column. */
  headers: readonly string[]
  rows: readonly StaticRow[]
  empty: string
}

/** A short list inside a dialog: nothing to sort, page or open. */
export function StaticTable({ label, headers, rows, empty }: Props) {
  if (rows.length === 0) return <p className={css['nothing']}>{empty}</p>
  const isRight = (index: number) => headers[index]?.startsWith('>')
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
    <section className={css['scroll']} aria-label={label} tabIndex={0}>
      <table className={css['table']}>
        <thead>
          <tr>
            {headers.map((header, index) => (
              <th key={header} scope="col" className={isRight(index) ? css['right'] : undefined}>
                {header.replace(/^>/, '')}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id}>
              {row.cells.map((cell, index) => (
                <td key={headers[index]} className={isRight(index) ? css['right'] : undefined}>
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
