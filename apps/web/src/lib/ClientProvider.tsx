import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, useCallback } from 'react'
import type { Endpoint } from './api.ts'
import { RefreshContext } from './refresh.ts'

/** What the screens have read, and the way to read it again after a change. */
export function ClientProvider({ client, children }: { client: QueryClient; children: ReactNode }) {
  const refresh = useCallback(
    async (stale: readonly Endpoint[]) => {
      await Promise.all(stale.map(({ path }) => client.invalidateQueries({ queryKey: [path] })))
    },
    [client],
  )
  return (
    <QueryClientProvider client={client}>
      <RefreshContext value={refresh}>{children}</RefreshContext>
    </QueryClientProvider>
  )
}
