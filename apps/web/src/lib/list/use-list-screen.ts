import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import type { ApiError } from '../problems.ts'
import type { Schema } from '../search-state.ts'
import { useDenial } from '../session.ts'
import { usePaging } from '../use-paging.ts'
import { type SearchState, useSearchState } from '../use-search-state.ts'
import { isChosen, type List } from './define-list.ts'

type Paging = ReturnType<ReturnType<typeof usePaging>['pagingFor']>

export type ListScreen<Answer, Row, S extends Schema> = SearchState<S> & {
  list: List<Answer, Row, S>
  /** Why the actor may not see the list; nothing is asked then. */
  denial: string | undefined
  query: UseQueryResult<Answer>
  answer: Answer | undefined
  /** undefined until the first answer is there. */
  rows: readonly Row[] | undefined
  error: ApiError | null
  /** When the rows that are shown were true; null when there are none. */
  at: number | null
  /** A newer answer is on its way while these rows stay. */
  isFetching: boolean
  /** How many rows match, where it is known. */
  total: number | null | undefined
  paging: Paging
  /** Filters leave out some of what there is. */
  isFiltered: boolean
  clear: () => void
  /** The link that opens a row. */
  hrefOf: (row: Row) => string
  open: (id: string) => void
  close: () => void
  /** The row whose details are open; it is listed only if it is among those that are shown. */
  opened: { id: string; listed: Row | undefined } | undefined
}

/** The screen of a list, for its parts. */
export type ScreenOf<L> = L extends List<infer Answer, infer Row, infer S> ? ListScreen<Answer, Row, S> : never

/** A list and its state in the URL: what is searched, sorted and shown, and the row that is open. */
export function useListScreen<Answer, Row extends { id: string }, S extends Schema>(
  list: List<Answer, Row, S>,
): ListScreen<Answer, Row, S> {
  const search = useSearchState(list.search)
  const { state, set, hrefFor } = search
  const { query: page, pagingFor } = usePaging(list.paging)
  const asked = list.query(page, state)
  const denial = useDenial(asked.meta)
  const query = useQuery({ ...asked, placeholderData: keepPreviousData, enabled: denial === undefined })
  // What was read before stays in the cache of whoever may no longer see it.
  const answer: Answer | undefined = denial ? undefined : query.data
  const all = answer && list.rowsOf(answer)
  const rows = all && (list.narrow?.(all, state) ?? all)
  const openId = (state as { open?: string }).open
  return {
    ...search,
    list,
    denial,
    query,
    answer,
    rows,
    error: query.error as ApiError | null,
    at: answer === undefined ? null : query.dataUpdatedAt,
    isFetching: query.isPlaceholderData || (query.isError && query.isFetching),
    total: list.narrow ? rows?.length : (answer as { total?: number | null } | undefined)?.total,
    paging: pagingFor(
      (rows ?? []).map(({ id }) => id),
      (answer as { has_more?: boolean } | undefined)?.has_more ?? false,
    ),
    isFiltered: list.filters.some((name) => isChosen(list.search, state, name)) && !(list.narrow && all?.length === 0),
    clear: () => set(list.noFilters),
    hrefOf: useCallback((row: Row) => hrefFor(list.detailsOf(row.id)), [list, hrefFor]),
    open: (id) => set(list.detailsOf(id)),
    close: () => set(list.detailsOf('')),
    opened: openId ? { id: openId, listed: all?.find(({ id }) => id === openId) } : undefined,
  }
}
