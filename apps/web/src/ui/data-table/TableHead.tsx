import type { Column } from './columns.ts'
import { markOf, nextSort } from './columns.ts'
import css from './data-table.module.css'

type Props<Row> = {
  columns: readonly Column<Row>[]
  sort: string | undefined
  onSort: ((sort: string) => void) | undefined
  /** undefined where rows cannot be selected; null when some are. */
  allSelected: boolean | null | undefined
  onSelectAll: (selected: boolean) => void
  hasMenu: boolean
}

export function TableHead<Row>({ columns, sort, onSort, allSelected, onSelectAll, hasMenu }: Props<Row>) {
  return (
    <thead>
      <tr>
        {allSelected === undefined ? null : (
          <th scope="col" className={css['tight']}>
            <input
              type="checkbox"
              className={css['check']}
              aria-label="Select all rows of this page"
              checked={allSelected === true}
              ref={(input) => {
                if (input) input.indeterminate = allSelected === null
              }}
              onChange={(event) => onSelectAll(event.target.checked)}
            />
          </th>
        )}
        {columns.map((column, index) => (
          <HeaderCell key={column.id} column={column} sort={sort} onSort={onSort} isFirst={index === 0} />
        ))}
        {hasMenu ? (
          <th scope="col" className={css['menu']}>
            Actions
          </th>
        ) : null}
      </tr>
    </thead>
  )
}

type CellProps<Row> = Pick<Props<Row>, 'sort' | 'onSort'> & { column: Column<Row>; isFirst: boolean }

function HeaderCell<Row>({ column, sort, onSort, isFirst }: CellProps<Row>) {
  const shared = {
    scope: 'col' as const,
    className: isFirst ? css['first'] : column.align && css['right'],
    'data-share': column.share ? '' : undefined,
    'data-sentence': column.isSentence && '',
    style: column.share || column.width ? { width: column.share ?? column.width } : undefined,
  }
  if (!column.sort || !onSort) return <th {...shared}>{column.header}</th>
  const mark = markOf(sort, column.sort)
  return (
    <th {...shared} aria-sort={mark}>
      <button type="button" className={css['sort']} data-mark={mark} onClick={() => onSort(nextSort(column, sort))}>
        {column.header}
      </button>
    </th>
  )
}
