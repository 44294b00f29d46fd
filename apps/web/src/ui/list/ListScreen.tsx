import { type ReactNode, Suspense, useState } from 'react'
import type { FilterChip } from '../../lib/list/define-list.ts'
import type { ListScreen as Screen } from '../../lib/list/use-list-screen.ts'
import { missingOf } from '../../lib/mirrored.ts'
import type { ApiError } from '../../lib/problems.ts'
import type { Schema, StateOf } from '../../lib/search-state.ts'
import { Button } from '../Button.tsx'
import { BulkBar } from '../bulk/BulkBar.tsx'
import type { BulkAct } from '../bulk/bulk-act.ts'
import { DataTable } from '../data-table/DataTable.tsx'
import type { DataTableProps } from '../data-table/table-props.ts'
import { EmptyState } from '../EmptyState.tsx'
import { type FailureWords, ListFailure } from '../ListFailure.tsx'
import { SectionBoundary } from '../SectionBoundary.tsx'

export type OpenedRow<Row> = { id: string; listed: Row | undefined; onClose: () => void }

type Props<Answer, Row, S extends Schema> = Pick<
  DataTableProps<Row>,
  'label' | 'columns' | 'nameOf' | 'hrefOf' | 'actionsOf' | 'unit' | 'toolbar' | 'skeletonRows'
> & {
  screen: Screen<Answer, Row, S>
  /** The rows in the plural, as in "No sites match your filters"; without it, that of the unit. */
  many?: string
  /** What is loaded, as in "Failed to load the sites."; without it, "the" and the rows. */
  what?: string
  /** Of a failure, where "Failed to load the sites." is not what is said. It stands where the rows would, if there are none. */
  failureOf?: ((error: ApiError) => FailureWords) | 'elsewhere'
  /** Said to whoever may not see the list. */
  denied?: string
  /** Why there is nothing although nothing is filtered, and the next step. */
  empty: ReactNode
  noMatch?: string
  clearLabel?: string
  /** Stands where no rows could be loaded, of a failure that is told elsewhere. */
  unloaded?: ReactNode
  chips?: readonly FilterChip<S>[]
  /** What stands between the failure and the table. */
  above?: ReactNode
  /** The list has a pager of its own, or one page. */
  withoutPager?: boolean
  /** What can be done with several rows at once, previewed and told row by row in a dialog of its own. */
  bulkActs?: readonly BulkAct<Row>[]
  /** What is done with the rows that are selected on one press, without a dialog. */
  bulk?: (rows: readonly Row[], clear: () => void) => ReactNode
  /** What opens with a row; it is loaded when the first one does. */
  details?: (row: OpenedRow<Row>) => ReactNode
}

/** A list with all its states: denied, loading, failed, empty, filtered, and the row that is open. */
export function ListScreen<Answer, Row extends { id: string }, S extends Schema>(props: Props<Answer, Row, S>) {
  const { screen, unit, many = unit?.[1] ?? 'results', what, failureOf, details } = props
  if (screen.denial) return <EmptyState title={props.denied ?? `You may not see ${many}`} text={screen.denial} />
  const failure =
    failureOf === 'elsewhere' ? null : (
      <ListFailure
        error={screen.error}
        what={what ?? `the ${many}`}
        wordsOf={failureOf}
        at={screen.at}
        onRetry={() => void screen.query.refetch()}
      />
    )
  return (
    <>
      {screen.rows ? failure : null}
      {props.above}
      <Table {...props} many={many} failure={failure ?? props.unloaded} />
      {details && screen.opened ? (
        <Suspense>
          <SectionBoundary resetKey={screen.opened.id} onRetry={screen.close}>
            {details({ ...screen.opened, onClose: screen.close })}
          </SectionBoundary>
        </Suspense>
      ) : null}
    </>
  )
}

type Named<Answer, Row, S extends Schema> = Props<Answer, Row, S> & { many: string }

function Table<Answer, Row extends { id: string }, S extends Schema>(
  props: Named<Answer, Row, S> & { failure: ReactNode },
) {
  const { screen, chips = [], unit, skeletonRows = screen.paging.size } = props
  const { state, set, rows, error, answer } = screen
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set())
  const [chosen, setChosen] = useState<{ act: BulkAct<Row>; rows: readonly Row[] }>()
  const canSelect = props.bulk !== undefined || props.bulkActs?.some(({ denial }) => denial === undefined)
  const selected = canSelect ? (rows ?? []).filter(({ id }) => ids.has(id)) : undefined
  const clearSelection = () => setIds(new Set())
  const table = (
    <DataTable
      label={props.label}
      columns={props.columns}
      // A failed first load is no load that is still under way.
      rows={rows ?? (error ? none : undefined)}
      keyOf={keyOf}
      nameOf={props.nameOf}
      hrefOf={props.hrefOf ?? ('open' in state ? screen.hrefOf : undefined)}
      actionsOf={props.actionsOf}
      sort={(state as { sort?: string }).sort}
      onSort={'sort' in state ? (sort) => set({ sort } as Partial<StateOf<S>>) : undefined}
      fetching={screen.isFetching}
      paging={props.withoutPager ? undefined : screen.paging}
      total={unit && screen.total}
      missing={missingOf(answer as { as_of: string | null } | undefined)}
      unit={unit}
      skeletonRows={skeletonRows}
      toolbar={props.toolbar}
      selection={selected && { keys: new Set(selected.map(keyOf)), onChange: setIds }}
      selectionActions={
        selected && (
          <>
            <BulkBar
              acts={props.bulkActs ?? none}
              rows={selected}
              onChoose={(act) => setChosen({ act, rows: selected })}
            />
            {props.bulk?.(selected, clearSelection)}
          </>
        )
      }
      filters={chips.map(({ label, without }) => ({ label, onRemove: () => set(without) }))}
      onClearFilters={screen.clear}
      empty={<NoRows {...props} />}
      error={!rows && error ? props.failure : undefined}
    />
  )
  const closeBulk = () => setChosen(undefined)
  return (
    <>
      {table}
      <Suspense>
        {chosen ? (
          <SectionBoundary resetKey={chosen.act.label} onRetry={closeBulk}>
            {chosen.act.dialog({ rows: chosen.rows, onDone: clearSelection, onClose: closeBulk })}
          </SectionBoundary>
        ) : null}
      </Suspense>
    </>
  )
}

const none: readonly never[] = []
const keyOf = ({ id }: { id: string }) => id

function NoRows<Answer, Row, S extends Schema>(props: Named<Answer, Row, S>) {
  const { screen, many, empty, noMatch = `No ${many} match your filters`, clearLabel = 'Clear filters' } = props
  if (screen.isFiltered)
    return <EmptyState text={noMatch} action={<Button onClick={screen.clear}>{clearLabel}</Button>} />
  return typeof empty === 'string' ? <EmptyState text={empty} /> : empty
}
