import { type ReactNode, Suspense, useCallback, useEffect, useRef, useState } from 'react'
import { formatCount } from '../../lib/format.ts'
import { phone, useMedia } from '../../lib/use-media.ts'
import { type Action, ActionMenu } from '../MoreMenu.tsx'
import { Skeleton } from '../Skeleton.tsx'
import cards from './cards.module.css'
import type { ActiveFilter, Column, Paging, Selection } from './columns.ts'
import css from './data-table.module.css'
import { Pager } from './Pager.tsx'
import { RowCard } from './RowCard.tsx'
import { TableHead } from './TableHead.tsx'
import { type RowProps, TableRow } from './TableRow.tsx'
import { Toolbar } from './Toolbar.tsx'
import { useRows } from './use-rows.ts'
import { useTooWide } from './use-too-wide.ts'

export type DataTableProps<Row> = {
  /** The table's accessible name. */
  label: string
  /** A module constant; the first column is the thing's name. */
  columns: readonly Column<Row>[]
  /** undefined while the first page loads. */
  rows: readonly Row[] | undefined
  keyOf: (row: Row) => string
  nameOf: (row: Row) => string
  /** Where a row's name leads; keep its identity stable, as with every function of a row. */
  hrefOf?: (row: Row) => string
  onOpen?: (row: Row) => void
  actionsOf?: (row: Row) => readonly Action[]
  sort?: string
  onSort?: (sort: string) => void
  /** A newer answer is on its way while these rows stay. */
  fetching?: boolean
  paging?: Paging
  /** How many rows match, where the server knows. */
  total?: number | null
  /** What is counted: ['customer', 'customers']. */
  unit?: readonly [string, string]
  toolbar?: ReactNode
  filters?: readonly ActiveFilter[]
  onClearFilters?: () => void
  selection?: Selection
  selectionActions?: ReactNode
  /** Shown without rows: why, and the next step. The caller knows whether filters are the reason. */
  empty: ReactNode
  /** Takes the place of the rows when none could be loaded. */
  error?: ReactNode
  skeletonRows?: number
}

const noFilters: readonly ActiveFilter[] = []

export function DataTable<Row>(props: DataTableProps<Row>) {
  const { rows, keyOf, actionsOf, selection, paging, total, filters = noFilters, fetching = false } = props
  const asCards = useMedia(phone)
  const [menu, setMenu] = useState<{ row: Row; anchor: HTMLElement }>()
  const shown = rows ?? []
  const select = useSelect(selection, keyOf)
  const { active, container, handlers } = useRows({
    count: shown.length,
    onMenu: (index, anchor) => {
      const row = shown[index]
      if (row !== undefined && actionsOf) setMenu({ row, anchor })
    },
    onToggle: selection
      ? (index) => {
          const row = shown[index]
          if (row !== undefined) select(row, !selection.keys.has(keyOf(row)))
        }
      : undefined,
  })
  const rowProps = shown.map((row, index): RowProps<Row> & { key: string } => ({
    key: keyOf(row),
    row,
    index,
    name: props.nameOf(row),
    columns: props.columns,
    active: index === active,
    href: props.hrefOf?.(row),
    onOpen: props.onOpen,
    selected: selection ? selection.keys.has(keyOf(row)) : undefined,
    onSelect: select,
    hasMenu: actionsOf !== undefined,
  }))
  const Body = asCards ? CardBody : TableBody
  return (
    <div className={css['frame']}>
      <Toolbar
        toolbar={props.toolbar}
        filters={filters}
        onClearFilters={props.onClearFilters}
        selection={selection}
        selectionActions={props.selectionActions}
        countText={countText(props)}
      />
      <Body
        {...props}
        rowProps={rowProps}
        container={container}
        handlers={handlers}
        busy={fetching && rows !== undefined}
      />
      {paging && rows ? <Pager paging={paging} shown={shown.length} total={total} /> : null}
      {menu && actionsOf ? (
        <Suspense>
          <ActionMenu
            anchor={menu.anchor}
            label={`Actions for ${props.nameOf(menu.row)}`}
            actions={actionsOf(menu.row)}
            onClose={() => setMenu(undefined)}
          />
        </Suspense>
      ) : null}
    </div>
  )
}

// Stable across renders, so that selecting one row renders one row.
function useSelect<Row>(selection: Selection | undefined, keyOf: (row: Row) => string) {
  const latest = useRef({ selection, keyOf })
  useEffect(() => {
    latest.current = { selection, keyOf }
  })
  return useCallback((row: Row, selected: boolean) => {
    const { selection: now, keyOf: key } = latest.current
    if (!now) return
    const keys = new Set(now.keys)
    if (selected) keys.add(key(row))
    else keys.delete(key(row))
    now.onChange(keys)
  }, [])
}

function countText<Row>({ rows, total, unit = ['result', 'results'] }: DataTableProps<Row>): string | undefined {
  if (!rows || total == null) return undefined
  return `${formatCount(total)} ${total === 1 ? unit[0] : unit[1]}`
}

type BodyProps<Row> = DataTableProps<Row> & {
  rowProps: (RowProps<Row> & { key: string })[]
  container: React.RefObject<HTMLElement | null>
  handlers: ReturnType<typeof useRows>['handlers']
  busy: boolean
}

function TableBody<Row>(props: BodyProps<Row>) {
  const { label, columns, rows, rowProps, container, handlers, busy, selection, actionsOf, skeletonRows = 10 } = props
  const [box, tooWide] = useTooWide()
  const hasMenu = actionsOf !== undefined
  const width = columns.length + (selection ? 1 : 0) + (hasMenu ? 1 : 0)
  const all = rowProps.length > 0 && rowProps.every((row) => row.selected)
  const some = rowProps.some((row) => row.selected)
  return (
    <div ref={box} className={css['box']} data-wide={tooWide}>
      {busy ? <div className={css['busy']} /> : null}
      <table className={css['table']} aria-label={label} aria-busy={busy || rows === undefined}>
        <TableHead
          columns={columns}
          sort={props.sort}
          onSort={props.onSort}
          allSelected={selection && (all || (some ? null : false))}
          onSelectAll={(on) => selection?.onChange(new Set(on ? rowProps.map((row) => row.key) : []))}
          hasMenu={hasMenu}
        />
        <tbody ref={container as React.RefObject<HTMLTableSectionElement | null>} {...handlers}>
          {rowProps.map(({ key, ...row }) => (
            <TableRow key={key} {...row} />
          ))}
          {rows === undefined && !props.error ? <GhostRows count={skeletonRows} width={width} /> : null}
        </tbody>
      </table>
      {props.error ?? (rows?.length === 0 ? props.empty : null)}
    </div>
  )
}

function CardBody<Row>(props: BodyProps<Row>) {
  const { label, rows, rowProps, container, handlers, busy, skeletonRows = 10 } = props
  return (
    <div className={css['box']} aria-busy={busy || rows === undefined}>
      {busy ? <div className={css['busy']} /> : null}
      <ul
        className={cards['cards']}
        aria-label={label}
        ref={container as React.RefObject<HTMLUListElement | null>}
        {...handlers}
      >
        {rowProps.map(({ key, ...row }) => (
          <RowCard key={key} {...row} />
        ))}
      </ul>
      {rows === undefined && !props.error
        ? Array.from({ length: Math.min(skeletonRows, 6) }, (_, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the cards are all alike
            <div key={index} className={cards['ghost']}>
              <Skeleton width="60%" />
            </div>
          ))
        : null}
      {props.error ?? (rows?.length === 0 ? props.empty : null)}
    </div>
  )
}

function GhostRows({ count, width }: { count: number; width: number }) {
  return Array.from({ length: count }, (_, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all alike
    <tr key={index}>
      <td colSpan={width}>
        <Skeleton width={`${92 - (index % 4) * 9}%`} />
      </td>
    </tr>
  ))
}
