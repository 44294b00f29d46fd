import type { ReactNode } from 'react'
import css from './heat-map.module.css'

export type HeatCell = {
  /** From 0 to 1 decides the shade; null: not known, which has none. */
  share: number | null
  text: string
  /** The exact figure in words. */
  title: string
  href?: string | undefined
}

type Row = { id: string; name: ReactNode; size: ReactNode; cells: readonly (HeatCell | null)[] }

type Props = {
  title: string
  /** What a row is: "Started in". */
  first: string
  /** What stands beside its name: "Customers". */
  size: string
  columns: readonly string[]
  rows: readonly Row[]
}

/** Figures whose shade says how high they are. It is a table, so everybody can read it. */
export function HeatMap({ title, first, size, columns, rows }: Props) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard has to reach it
    <section className={css['scroll']} tabIndex={0} aria-label={title}>
      <table className={css['map']}>
        <thead>
          <tr>
            <th scope="col">{first}</th>
            <th scope="col">{size}</th>
            {columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ id, name, size: count, cells }) => (
            <tr key={id}>
              <th scope="row">{name}</th>
              <td>{count}</td>
              {columns.map((column, index) => (
                <Cell key={column} cell={cells[index] ?? null} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** Percent; the text stays readable on it in both schemes. */
const darkest = 40

function Cell({ cell }: { cell: HeatCell | null }) {
  if (!cell) return <td />
  const { share, text, title, href } = cell
  const shade = share === null ? 0 : Math.round(darkest * Math.min(1, Math.max(0, share)))
  return (
    <td
      title={title}
      className={css['cell']}
      data-unknown={share === null}
      style={share === null ? undefined : { background: shadeOf(shade) }}
    >
      {href ? <a href={href}>{text}</a> : text}
    </td>
  )
}

const shadeOf = (percent: number) =>
  `color-mix(in srgb, var(--mui-palette-primary-main) ${percent}%, var(--mui-palette-background-paper))`
