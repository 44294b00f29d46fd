import { QueryClient } from '@tanstack/react-query'
import { ApiError } from '../lib/problems.ts'

const freshMs = 30_000
const settleMs = 1500

export function makeQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: freshMs,
        gcTime: 10 * 60_000,
        retry: (count, error) => count < 2 && isPassing(error),
        // A console on localhost answers whatever the browser thinks of the network.
        networkMode: 'always',
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  })
}

function isPassing(error: unknown): boolean {
  return error instanceof ApiError && (error.code === 'unreachable' || error.status === 502 || error.status === 504)
}

/** Calls back once the screen has its first answers, or after a moment if it asks nothing. Returns the way to stop. */
export function whenCalm(client: QueryClient, callback: () => void): () => void {
  let done = false
  let asked = client.isFetching() > 0
  const finish = () => {
    if (done) return
    done = true
    clearTimeout(timer)
    unsubscribe()
    callback()
  }
  // Rows first: they are to be painted before anything else is asked or rendered.
  const settled = () => requestAnimationFrame(() => setTimeout(finish, 50))
  if (client.getQueryCache().getAll().length > 0 && client.isFetching() === 0) settled()
  const unsubscribe = client.getQueryCache().subscribe(() => {
    const fetching = client.isFetching() > 0
    asked ||= fetching
    if (asked && !fetching) settled()
  })
  const timer = setTimeout(() => {
    if (client.isFetching() === 0) finish()
  }, settleMs)
  return () => {
    done = true
    clearTimeout(timer)
    unsubscribe()
  }
}
