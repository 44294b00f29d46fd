import type { Access, Topic } from '@agency/contract/types'
import { type PageQuery, type PagingOptions, readPaging } from '../paging.ts'
import { type ChosenOf, readState, type Schema, type StateOf } from '../search-state.ts'

export type ListQuery<Answer> = {
  queryKey: readonly [string, object]
  queryFn: (context: { signal: AbortSignal }) => Promise<Answer>
  meta: { permission: Access; topics: readonly Topic[] }
  /** For how long an answer counts as new. */
  staleTime?: number
}

export type FilterName<S extends Schema> = Exclude<keyof S & string, 'open'>

type Definition<Answer, Row extends { id: string }, S extends Schema> = {
  /** What the address says of the screen. A row is opened by `open`, if there is such a field. */
  search: S
  /** The fields that narrow the list: they are cleared together. */
  filters: readonly FilterName<S>[]
  /** The fields that belong to an open row: they start anew with each. */
  details?: readonly FilterName<S>[]
  sizes: readonly number[]
  initialSize: number
  query: (page: PageQuery, state: StateOf<S>) => ListQuery<Answer>
  rows: (answer: Answer) => readonly Row[]
  /** Narrows the rows of a server that answers all at once. */
  narrow?: (rows: readonly Row[], state: StateOf<S>) => readonly Row[]
  /** The address of the screen, where its page has other screens too. */
  path?: string
}

export type List<Answer, Row, S extends Schema> = {
  search: S
  filters: readonly FilterName<S>[]
  paging: PagingOptions
  query: (page: PageQuery, state: StateOf<S>) => ListQuery<Answer>
  rowsOf: (answer: Answer) => readonly Row[]
  narrow: ((rows: readonly Row[], state: StateOf<S>) => readonly Row[]) | undefined
  /** All filters at their defaults. */
  noFilters: Partial<StateOf<S>>
  /** The details of a row as they open; of an empty id: none. */
  detailsOf: (id: string) => Partial<StateOf<S>>
  /** What the screen asks first, read from its address. */
  queriesFor: (params: URLSearchParams, pathname: string) => ListQuery<Answer>[]
}

/**
 * What a list asks, as data. The first call of a screen is made from it before anything that renders is loaded, so
 * nothing here may need React.
 */
export function defineList<Answer, Row extends { id: string }, S extends Schema>(
  definition: Definition<Answer, Row, S>,
): List<Answer, Row, S> {
  const { search, filters, details = [], sizes, initialSize, query, rows, narrow, path } = definition
  const paging = { sizes, initialSize }
  return {
    search,
    filters,
    paging,
    query,
    rowsOf: rows,
    narrow,
    noFilters: initialsOf(search, filters),
    detailsOf: (id) => ({ ...initialsOf(search, details), open: id }),
    queriesFor: (params, pathname) =>
      path === undefined || path === pathname ? [query(readPaging(params, paging), readState(search, params))] : [],
  }
}

function initialsOf<S extends Schema>(search: S, names: readonly (keyof S & string)[]): Partial<StateOf<S>> {
  return Object.fromEntries(names.map((name) => [name, search[name]?.initial])) as Partial<StateOf<S>>
}

/** Whether a field is at its default, which the address leaves out. */
export function isChosen<S extends Schema>(search: S, state: StateOf<S>, name: keyof S & string): boolean {
  const field = search[name] as { write: (value: unknown) => string | null } | undefined
  return (field?.write(state[name]) ?? null) !== null
}

/** Fields as the server takes them: one that is at its default is not sent. */
export function chosenOf<S extends Schema, const N extends keyof S & string>(
  search: S,
  state: StateOf<S>,
  names: readonly N[],
): { [K in N]: ChosenOf<S[K]> | undefined } {
  const chosen = names.map((name) => [name, isChosen(search, state, name) ? state[name] : undefined])
  return Object.fromEntries(chosen) as { [K in N]: ChosenOf<S[K]> | undefined }
}

/** A filter that is on, in words, with the change that takes it away. */
export type FilterChip<S extends Schema> = { label: string; without: Partial<StateOf<S>> }

/** What narrows a list, in the order of the words. The search box shows its own text. */
export function chipsOf<S extends Schema>(
  search: S,
  state: StateOf<S>,
  words: { [K in keyof S & string]?: (value: ChosenOf<S[K]>) => string },
): FilterChip<S>[] {
  return Object.entries(words)
    .filter(([name]) => isChosen(search, state, name))
    .map(([name, wordsOf]: [string, (value: never) => string]) => ({
      label: wordsOf(state[name] as never),
      without: initialsOf(search, [name]),
    }))
}
