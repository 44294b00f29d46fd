import * as search from '@agency/contract/descriptors/search'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { q, type ResponseOf } from '../../lib/api.ts'

const pauseMs = 120
/** Shorter terms would find nearly everything; they only narrow screens and actions. */
export const shortestTerm = 3

const isLong = (term: string): boolean => [...term].length >= shortestTerm

export type Search = {
  /** `short`: not asked; `searching`: what is shown is the answer to an earlier term. */
  state: 'short' | 'searching' | 'found' | 'failed'
  answer: ResponseOf<typeof search.searchAll> | undefined
  error: Error | null
  retry: () => void
}

/** Asks the server once typing rests. Each term has its own answer, so a late one never takes the place of a newer. */
export function useSearch(term: string, enabled: boolean): Search {
  const rested = useRested(term)
  const query = useQuery({
    ...q(search.searchAll, { query: { q: rested } }),
    enabled: enabled && isLong(term) && isLong(rested),
    placeholderData: keepPreviousData,
  })
  const retry = () => void query.refetch()
  if (!enabled || !isLong(term)) return { state: 'short', answer: undefined, error: null, retry }
  const isAnswered = rested === term && !query.isPlaceholderData
  if (isAnswered && query.isError && !query.data && !query.isFetching)
    return { state: 'failed', answer: undefined, error: query.error, retry }
  return { state: isAnswered && query.data ? 'found' : 'searching', answer: query.data, error: null, retry }
}

function useRested(term: string): string {
  const [rested, setRested] = useState(term)
  useEffect(() => {
    const timer = setTimeout(() => setRested(term), pauseMs)
    return () => clearTimeout(timer)
  }, [term])
  return rested
}
