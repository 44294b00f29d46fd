import { memo } from 'react'
import { type Column, titleOf } from './columns.ts'
import css from './data-table.module.css'
import { rowMenuButton, rowName } from './row-name.tsx'

export type RowProps<Row> = {
  row: Row
  index: number
  name: string
  columns: readonly Column<Row>[]
  active: boolean
  href: string | undefined
  onOpen: ((row: Row) => void) | undefined
  /** undefined where rows cannot be selected. */
  selected: boolean | undefined
  onSelect: (row: Row, selected: boolean) => void
  hasMenu: boolean
}

function PlainTableRow<Row>(props: RowProps<Row>) {
  const { row, index, name, columns, active, href, onOpen, selected, onSelect, hasMenu } = props
  const opens = href !== undefined || onOpen !== undefined
  const [first, ...others] = columns
  return (
    <tr className={css['row']} data-row={index} data-open={opens} aria-selected={selected}>
      {selected === undefined ? null : (
        <td className={css['tight']}>
          <input
            type="checkbox"
            className={css['check']}
            aria-label={`Select ${name}`}
            checked={selected}
            tabIndex={active ? 0 : -1}
            onChange={(event) => onSelect(row, event.target.checked)}
          />
        </td>
      )}
      {first ? (
        <td className={css['first']} data-share={first.share && ''}>
          {opens
            ? rowName({
                className: css['name'],
                href,
                onOpen: onOpen && (() => onOpen(row)),
                active,
                title: titleOf(first, row),
                children: first.cell(row),
              })
            : first.cell(row)}
        </td>
      ) : null}
      {others.map((column) => (
        <td
          key={column.id}
          className={classOf(column)}
          dir={column.isForeign && 'auto'}
          data-share={column.share && ''}
          title={titleOf(column, row)}
        >
          {column.cell(row)}
        </td>
      ))}
      {hasMenu ? (
        <td className={css['menu']}>{rowMenuButton({ className: css['dots'], name, active, isStop: !opens })}</td>
      ) : null}
    </tr>
  )
}

function classOf<Row>(column: Column<Row>): string | undefined {
  if (column.align) return css['right']
  return column.text && css['cut']
}

// memo loses the type parameter; the cast gives it back.
export const TableRow = memo(PlainTableRow) as typeof PlainTableRow
