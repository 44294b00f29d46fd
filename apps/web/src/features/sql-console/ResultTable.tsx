import type { SqlColumn } from '@agency/contract/types'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useMemo, useRef } from 'react'
import { type Cells, keysOf, widthsOf } from './result-shape.ts'
import css from './sql-console.module.css'

type Props = { label: string; columns: readonly SqlColumn[]; rows: readonly Cells[] }

const rowHeight = 32
const mostOnHover = 2000

/** The rows of a result; only those in sight are drawn. */
export function ResultTable({ label, columns, rows }: Props) {
  const scroller = useRef<HTMLDivElement>(null)
  const widths = useMemo(() => widthsOf(columns, rows), [columns, rows])
  const keys = useMemo(() => keysOf(columns), [columns])
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 12,
    initialRect: { width: 800, height: 480 },
  })
  const items = virtualizer.getVirtualItems()
  const above = items[0]?.start ?? 0
  const below = virtualizer.getTotalSize() - (items.at(-1)?.end ?? 0)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reached by keyboard
    <section ref={scroller} className={css['results']} aria-label={`${label}, scrollable`} tabIndex={0}>
      <table aria-label={label} aria-rowcount={rows.length + 1} className={css['table']}>
        <colgroup>
          {keys.map((key, index) => (
            <col key={key} style={{ width: `calc(${widths[index] ?? 0}ch + 24px)` }} />
          ))}
        </colgroup>
        <thead>
          <tr aria-rowindex={1}>
            {columns.map(({ name, type }, index) => (
              <th key={keys[index]} scope="col" data-type={type} title={`${name}: ${type}`}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <Gap height={above} span={columns.length} />
          {items.map(({ index }) => (
            <tr key={index} aria-rowindex={index + 2}>
              {(rows[index] ?? []).map((cell, at) => (
                <td key={keys[at]} data-type={columns[at]?.type} title={cell?.slice(0, mostOnHover)}>
                  {cell === null ? <span className={css['null']}>NULL</span> : <bdi>{cell.slice(0, mostOnHover)}</bdi>}
                </td>
              ))}
            </tr>
          ))}
          <Gap height={below} span={columns.length} />
        </tbody>
      </table>
    </section>
  )
}

function Gap({ height, span }: { height: number; span: number }) {
  if (height <= 0) return null
  return (
    <tr data-gap="" style={{ height }}>
      <td colSpan={span} />
    </tr>
  )
}
