import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ApiError } from '../../lib/problems.ts'
import { usePoll } from '../../lib/use-poll.ts'
import { useSearchState } from '../../lib/use-search-state.ts'
import { metricSearch, metricsQuery } from './metric-search.ts'

const pollMs = 60_000

/** What was measured over the range of the address. */
export function useMetrics() {
  const search = useSearchState(metricSearch)
  const query = useQuery({ ...metricsQuery(search.state.range), placeholderData: keepPreviousData })
  const refresh = () => void query.refetch()
  usePoll(refresh, pollMs)
  return {
    search,
    refresh,
    answer: query.data,
    error: query.error as ApiError | null,
    /** When what is shown was true; null while nothing is. */
    at: query.data ? query.dataUpdatedAt : null,
  }
}

export type Metrics = ReturnType<typeof useMetrics>
