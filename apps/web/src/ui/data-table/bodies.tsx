import type { RefObject } from 'react'
import { Skeleton } from '../Skeleton.tsx'
import { StillWaiting } from '../StillWaiting.tsx'
import cards from './cards.module.css'

import css from './data-table.module.css'
import { RowCard } from './RowCard.tsx'
import { TableHead } from './TableHead.tsx'
import { type RowProps, TableRow } from './TableRow.tsx'
import type { DataTableProps } from './table-props.ts'
import type { useRows } from './use-rows.ts'
import { useTooWide } from './use-too-wide.ts'

type BodyProps<Row> = DataTableProps<Row> & {
  rowProps: (RowProps<Row> & { key: string })[]
  container: RefObject<HTMLElement | null>
  handlers: ReturnType<typeof useRows>['handlers']
  busy: boolean
}

export function TableBody<Row>(props: BodyProps<Row>) {
  const { label, columns, rows, rowProps, container, handlers, busy, selection, actionsOf, skeletonRows = 10 } = props
  const [box, tooWide] = useTooWide()
  const hasMenu = actionsOf !== undefined
  const all = rowProps.length > 0 && rowProps.every((row) => row.selected)
  const some = rowProps.some((row) => row.selected)
  return (
    <div ref={box} className={css['box']} data-wide={tooWide} {...(tooWide ? scrollable(label) : {})}>
      {busy ? <div className={css['busy']} /> : null}
      {rows === undefined && !props.error ? <Waiting /> : null}
      <table className={css['table']} aria-label={label} aria-busy={busy || rows === undefined}>
        <TableHead
          columns={columns}
          sort={props.sort}
          onSort={props.onSort}
          allSelected={selection && (all || (some ? null : false))}
          onSelectAll={(on) => selection?.onChange(new Set(on ? rowProps.map((row) => row.key) : []))}
          hasMenu={hasMenu}
        />
        <tbody ref={container as RefObject<HTMLTableSectionElement | null>} {...handlers}>
          {rowProps.map(({ key, ...row }) => (
            <TableRow key={key} {...row} />
          ))}
          {rows === undefined && !props.error ? <GhostRows count={skeletonRows} props={props} /> : null}
        </tbody>
      </table>
      <Instead {...props} />
    </div>
  )
}

// What lies beside the screen is reached by the arrow keys.
const scrollable = (label: string) => ({
  role: 'group',
  'aria-label': `${label}, wider than the screen`,
  tabIndex: 0,
})

export function CardBody<Row>(props: BodyProps<Row>) {
  const { label, rows, rowProps, container, handlers, busy, skeletonRows = 10 } = props
  return (
    <div className={css['box']} aria-busy={busy || rows === undefined}>
      {busy ? <div className={css['busy']} /> : null}
      {rows === undefined && !props.error ? <Waiting /> : null}
      {rowProps.length === 0 ? null : (
        <ul
          className={cards['cards']}
          aria-label={label}
          ref={container as RefObject<HTMLUListElement | null>}
          {...handlers}
        >
          {rowProps.map(({ key, ...row }) => (
            <RowCard key={key} {...row} />
          ))}
        </ul>
      )}
      {rows === undefined && !props.error
        ? Array.from({ length: Math.min(skeletonRows, 6) }, (_, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the cards are all alike
            <div key={index} className={cards['ghost']}>
              <Skeleton width="60%" />
            </div>
          ))
        : null}
      <Instead {...props} />
    </div>
  )
}

/** What stands where there are no rows. */
function Instead<Row>({ rows, error, empty }: BodyProps<Row>) {
  if (error) return <div className={css['failed']}>{error}</div>
  return rows?.length === 0 ? empty : null
}

const Waiting = () => (
  <div className={css['waiting']}>
    <StillWaiting />
  </div>
)

const ghostWidths = ['70%', '55%', '80%', '45%']

function GhostRows<Row>({ count, props }: { count: number; props: BodyProps<Row> }) {
  const { columns, selection, actionsOf } = props
  return Array.from({ length: count }, (_, line) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all alike
    <tr key={line}>
      {selection ? <td className={css['tight']} /> : null}
      {columns.map((column, index) => (
        <td key={column.id} className={index === 0 ? css['first'] : undefined}>
          <Skeleton width={ghostWidths[(line + index) % ghostWidths.length]} />
        </td>
      ))}
      {actionsOf ? <td className={css['menu']} /> : null}
    </tr>
  ))
}
