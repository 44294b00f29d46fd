import { QueryClientProvider } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { createBrowserRouter, RouterProvider } from 'react-router'
import { checkSession } from '../lib/session.ts'
import { ToastProvider } from '../ui/Toast.tsx'
import { IdleGuard } from './IdleGuard.tsx'
import { LiveProvider } from './LiveProvider.tsx'
import { makeQueryClient, whenCalm } from './query-client.ts'
import { routes } from './routes.tsx'

/** Everything behind the key. It lives as long as one session: what was read for one person is not kept for the next. */
export function Console() {
  const [client] = useState(makeQueryClient)
  const [router] = useState(() => createBrowserRouter(routes))

  useEffect(() => () => router.dispose(), [router])
  // The screen's own call goes first; the key is checked by it already.
  useEffect(() => whenCalm(client, () => void checkSession()), [client])

  return (
    <QueryClientProvider client={client}>
      <ToastProvider>
        <LiveProvider client={client}>
          <RouterProvider router={router} />
        </LiveProvider>
        <IdleGuard />
      </ToastProvider>
    </QueryClientProvider>
  )
}
