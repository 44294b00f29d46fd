import { Suspense, useCallback, useEffect, useRef, useState } from 'react'
import { formatCount } from '../../lib/format.ts'
import { phone, useMedia } from '../../lib/use-media.ts'
import { EmptyState } from '../EmptyState.tsx'
import { ActionMenu } from '../MoreMenu.tsx'
import { CardBody, TableBody } from './bodies.tsx'
import type { ActiveFilter, Selection } from './columns.ts'
import css from './data-table.module.css'
import { Pager } from './Pager.tsx'
import type { RowProps } from './TableRow.tsx'
import { Toolbar } from './Toolbar.tsx'
import type { DataTableProps } from './table-props.ts'
import { useRows } from './use-rows.ts'

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
        empty={props.missing && filters.length === 0 ? <EmptyState text={props.missing} /> : props.empty}
        rowProps={rowProps}
        container={container}
        handlers={handlers}
        busy={fetching && rows !== undefined}
      />
      {paging && (shown.length > 0 || paging.hasPrevious) ? (
        <Pager paging={paging} shown={shown.length} total={total} />
      ) : null}
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

function countText<Row>(props: DataTableProps<Row>): string | undefined {
  const { rows, total, missing, unit = ['result', 'results'] } = props
  if (!rows) return undefined
  if (total == null) return missing
  const count = `${formatCount(total)} ${total === 1 ? unit[0] : unit[1]}`
  return missing ? `${count} so far. ${missing}` : count
}
