import * as timeline from '@agency/contract/descriptors/timeline'
import { useInfiniteQuery } from '@tanstack/react-query'
import { call } from '../../lib/api.ts'
import { endOfDay } from '../../lib/format-time.ts'
import type { TimelineState } from './customer-search.ts'

const pageSize = 25
const endpoint = timeline.listTimeline

type Place = { before?: string; after?: string; until?: string }

/** What happened with a customer, from the newest entry or from a day on, growing towards both sides. */
export function useTimeline(customerId: string, { kinds, until, find }: TimelineState) {
  const start: Place = until ? { until: endOfDay(until).toISOString() } : {}
  return useInfiniteQuery({
    queryKey: [endpoint.path, customerId, kinds, start.until, find],
    queryFn: ({ pageParam, signal }) =>
      call(
        endpoint,
        {
          params: { id: customerId },
          query: { limit: pageSize, kinds: kinds.join(',') || undefined, search: find || undefined, ...pageParam },
        },
        { signal },
      ),
    initialPageParam: start,
    getNextPageParam: ({ next }): Place | undefined => (next === null ? undefined : { before: next }),
    getPreviousPageParam: ({ previous }): Place | undefined => (previous === null ? undefined : { after: previous }),
    // Another choice of the same customer takes the place of this one; another customer's entries never do.
    placeholderData: (shown, query) => (query?.queryKey[1] === customerId ? shown : undefined),
    meta: { topics: endpoint.topics },
  })
}
