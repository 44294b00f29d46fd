import * as dashboard from '@agency/contract/descriptors/dashboard'
import type { DashboardSection } from '@agency/contract/types'
import { type QueryFunctionContext, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../lib/api.ts'
import { ApiError } from '../../lib/problems.ts'
import { usePoll } from '../../lib/use-poll.ts'
import { type DashboardView, failedView, mergeView, type SectionProblem, sectionNames } from './dashboard-view.ts'

const endpoint = dashboard.getDashboard
const queryKey = [endpoint.path, 'view']

/** Its one call, for the screen and for whatever starts it before the screen is there. */
export const dashboardQuery = {
  queryKey,
  queryFn: async ({ client, signal }: QueryFunctionContext): Promise<DashboardView> => {
    const answer = await call(endpoint, {}, { signal })
    return mergeView(client.getQueryData(queryKey), answer, sectionNames)
  },
  meta: { topics: endpoint.topics, permission: endpoint.permission },
  gcTime: Number.POSITIVE_INFINITY,
}

export type Dashboard = {
  /** undefined while the first load runs. */
  view: DashboardView | undefined
  /** The whole fetch failed, not just a section. */
  error: ApiError | null
  updatedAt: number | null
  refreshing: boolean
  refresh: () => void
  /** Asks for one section alone. */
  retry: (section: DashboardSection) => void
  retrying: ReadonlySet<DashboardSection>
}

/** The dashboard from one call. Every section keeps what was last known of it, whatever fails. */
export function useDashboard(): Dashboard {
  const client = useQueryClient()
  const query = useQuery<DashboardView, ApiError>(dashboardQuery)
  usePoll(() => void query.refetch())

  const [retrying, setRetrying] = useState<ReadonlySet<DashboardSection>>(new Set())
  const ask = async (section: DashboardSection) => {
    // One section is not a refresh of the board: its time stays.
    const updatedAt = client.getQueryState(queryKey)?.dataUpdatedAt || undefined
    const put = (merge: (previous: DashboardView | undefined) => DashboardView) =>
      client.setQueryData<DashboardView>(queryKey, merge, { updatedAt })
    setRetrying((now) => new Set(now).add(section))
    try {
      const answer = await call(endpoint, { query: { sections: section } })
      put((previous) => mergeView(previous, answer, [section]))
    } catch (error) {
      put((previous) => failedView(previous, problemOf(error), [section]))
    } finally {
      setRetrying((now) => new Set([...now].filter((name) => name !== section)))
    }
  }

  const error = query.error
  return {
    view: error ? failedView(query.data, problemOf(error)) : query.data,
    error,
    updatedAt: query.data ? query.dataUpdatedAt : null,
    refreshing: query.isFetching,
    refresh: () => void query.refetch(),
    retry: (section) => void ask(section),
    retrying,
  }
}

function problemOf(error: unknown): SectionProblem {
  if (!(error instanceof ApiError)) return { message: String(error), code: 'internal' }
  return { message: error.message, code: error.code, requestId: error.requestId }
}
