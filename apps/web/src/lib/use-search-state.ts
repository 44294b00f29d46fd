import { useCallback, useMemo } from 'react'
import { useSearchParams } from 'react-router'
import { addressParams, readState, type Schema, type StateOf, writeState } from './search-state.ts'

export type SearchState<S extends Schema> = {
  state: StateOf<S>
  /** Filters replace the entry of the browser's history; what opens something adds one. */
  set: (change: Partial<StateOf<S>>, how?: 'replace' | 'push') => void
  /** The link that makes the change, for rows and chips. */
  hrefFor: (change: Partial<StateOf<S>>) => string
}

/** The state of a screen, kept in its URL. The schema is a module constant. */
export function useSearchState<S extends Schema>(schema: S): SearchState<S> {
  const [params, setParams] = useSearchParams()
  const state = useMemo(() => readState(schema, params), [schema, params])
  const set = useCallback(
    (change: Partial<StateOf<S>>, how: 'replace' | 'push' = 'replace') =>
      setParams(writeState(schema, addressParams(), change), { replace: how === 'replace', preventScrollReset: true }),
    [schema, setParams],
  )
  const hrefFor = useCallback(
    (change: Partial<StateOf<S>>) => `?${writeState(schema, params, change)}`,
    [schema, params],
  )
  return { state, set, hrefFor }
}
